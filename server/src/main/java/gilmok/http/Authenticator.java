package gilmok.http;

import gilmok.auth.AuthResult;
import gilmok.auth.ClientAddress;
import gilmok.auth.KeyNames;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates callers. Called on event loops, by several at once, for every request that needs a
 * key: it must not block and should hardly allocate.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Checks the credential that counts of those that were sent: a token in {@code authorization},
   * else the first that is not null.
   *
   * @param apiKey the header X-Api-Key, or that of {@link #keyNames}
   * @param authorization the header Authorization, as sent
   * @param keyParameter the parameter {@code key} of the query or of a form, or that of {@link
   *     #keyNames}, decoded
   * @param session the session cookie of a page
   */
  AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session);

  /** The same for a caller who may be kept from showing many wrong ones. */
  default AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session,
      ClientAddress client) {
    return check(apiKey, authorization, keyParameter, session);
  }

  /** Where else than in the usual places an app may send its key. */
  default KeyNames keyNames() {
    return KeyNames.USUAL;
  }
}
