package gilmok.http;

import gilmok.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates callers. Called on event loops, by several at once, for every request that needs a
 * key: it must not block and should hardly allocate.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Checks the first credential that was sent. The caller passes null for those after it, as they
   * are ignored.
   *
   * @param apiKey the header X-Api-Key
   * @param authorization the header Authorization, as sent
   * @param keyParameter the parameter {@code key} of the query or of a form, decoded
   * @param session the session cookie of a page
   */
  AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session);
}
