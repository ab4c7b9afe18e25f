package gilmok.auth;

/** What became of a credential. */
public sealed interface Verdict permits Principal, Denial {}
