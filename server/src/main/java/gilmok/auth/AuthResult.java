package gilmok.auth;

/** What became of a credential: a {@link Principal} or a {@link Denial}, and nothing else. */
public interface AuthResult {}
