package gilmok.auth;

/**
 * The result of checking a credential: a {@link Principal} or a {@link Denial}, and nothing else.
 */
public interface AuthResult {}
