package gilmok.http;

import gilmok.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks. Called on event loops, by several at once, for every request that needs a
 * key: it must not block and hardly allocate.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Judges the first credential that was sent; what comes after it is not looked at and given as
   * null.
   *
   * @param apiKey the header X-Api-Key
   * @param authorization the header Authorization, as sent
   * @param keyParameter the parameter {@code key} of the query or of a form, decoded
   * @param session the cookie that a page keeps
   */
  AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session);
}
