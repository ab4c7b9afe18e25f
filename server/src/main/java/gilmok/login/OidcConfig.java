package gilmok.login;

import gilmok.config.Settings;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code auth.oidc.*}: where people sign in. What their tokens allow is said by {@code
 * auth.jwt.*}. Immutable.
 *
 * @param issuer {@code auth.jwt.issuer}, which tells its endpoints by discovery
 * @param clientId what this server is called there
 * @param clientSecret null for a public client
 * @param url where browsers reach this server, as in {@code https://fleet.example}
 * @param scope what is asked for
 */
public record OidcConfig(
    String issuer, String clientId, @Nullable String clientSecret, String url, String scope) {
  /** Nobody signs in so. */
  public static final OidcConfig OFF = new OidcConfig("", "", null, "", "");

  /** The path that the login sends browsers back to. */
  static final String CALLBACK = "/login/callback";

  private static final String CLIENT_ID = "auth.oidc.client-id";

  /** Reads the settings, which note every problem. */
  public static OidcConfig of(Settings settings) {
    String clientId = settings.optionalText(CLIENT_ID);
    String secret = settings.secret("auth.oidc.client-secret");
    String url = settings.text("auth.oidc.url", "");
    String scope = settings.text("auth.oidc.scope", "openid profile");
    if (clientId == null) {
      if (secret != null || !url.isEmpty()) {
        settings.problem(
            CLIENT_ID + ": is needed beside auth.oidc.client-secret and auth.oidc.url");
      }
      return OFF;
    }
    String issuer = settings.text("auth.jwt.issuer", "");
    if (!isUrl(issuer) || settings.optionalText("auth.jwt.jwks") == null) {
      settings.problem(
          CLIENT_ID + ": needs auth.jwt.jwks and the issuer's URL as auth.jwt.issuer beside it");
    }
    if (!isUrl(url) || url.endsWith("/")) {
      settings.problem(
          "auth.oidc.url: needs this server's URL without a path, as browsers reach it");
    }
    if (!List.of(scope.split(" ")).contains("openid")) {
      settings.problem("auth.oidc.scope: lacks openid");
    }
    return new OidcConfig(issuer, clientId, secret, url, scope);
  }

  private static boolean isUrl(String text) {
    try {
      URI uri = URI.create(text);
      return uri.getHost() != null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()));
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  /** Whether people sign in so. */
  boolean isOn() {
    return !clientId.isEmpty();
  }

  /** Where the login sends the browser back to. */
  String callback() {
    return url + CALLBACK;
  }

  /** A text without the secret. */
  @Override
  public String toString() {
    return "OidcConfig[issuer=%s, clientId=%s, url=%s]".formatted(issuer, clientId, url);
  }
}
