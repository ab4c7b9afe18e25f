package gilmok.auth;

/** What became of a credential. */
public sealed interface AuthResult permits Principal, Denial {}
