package gilmok.http;

import gilmok.auth.AuthResult;
import gilmok.auth.ClientAddress;
import gilmok.auth.KeyNames;
import gilmok.auth.Keys;
import org.jspecify.annotations.Nullable;

/** Authenticates by the fleet's keys and tokens. Thread-safe. */
record KeyAuthenticator(Keys keys, KeyNames keyNames) implements Authenticator {
  @Override
  public AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session) {
    return check(apiKey, authorization, keyParameter, session, ClientAddress.STRANGER);
  }

  @Override
  public AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session,
      ClientAddress client) {
    return keys.check(apiKey, authorization, keyParameter, session, client);
  }
}
