package gilmok.http;

import gilmok.auth.AuthResult;
import gilmok.auth.KeyNames;
import gilmok.auth.Keys;
import gilmok.auth.Sender;
import org.jspecify.annotations.Nullable;

/** Authenticates by the fleet's keys and tokens. Thread-safe. */
record KeyAuthenticator(Keys keys, KeyNames keyNames) implements Authenticator {
  @Override
  public AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session) {
    return check(apiKey, authorization, keyParameter, session, Sender.STRANGER);
  }

  @Override
  public AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String keyParameter,
      @Nullable String session,
      Sender sender) {
    return keys.check(apiKey, authorization, keyParameter, session, sender);
  }
}
