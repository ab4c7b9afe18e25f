package gilmok.login;

import gilmok.auth.IssuerClient;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fleet's login, which speaks OpenID Connect. Thread-safe; blocks. */
final class OidcProvider {
  private static final String DISCOVERY = "/.well-known/openid-configuration";
  private static final Duration DISCOVERED_AGAIN = Duration.ofHours(1);

  private final OidcConfig config;
  private volatile @Nullable Endpoints endpoints;

  /** Where it is asked, and until when that is believed, by {@link System#nanoTime}. */
  private record Endpoints(String authorization, String token, long untilNanos) {}

  OidcProvider(OidcConfig config) {
    this.config = config;
  }

  /** Where the browser is sent to sign in; null while that has to be asked. Does not block. */
  @Nullable String knownLoginUrl(LoginAttempt attempt) {
    Endpoints known = known();
    return known == null ? null : loginUrl(attempt, known);
  }

  /** Where the browser is sent to sign in. */
  String loginUrl(LoginAttempt attempt) throws IOException, InterruptedException {
    return loginUrl(attempt, endpoints());
  }

  private String loginUrl(LoginAttempt attempt, Endpoints there) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", config.clientId());
    parameters.put("redirect_uri", config.callback());
    parameters.put("scope", config.scope());
    parameters.put("state", attempt.state());
    parameters.put("nonce", attempt.nonce());
    parameters.put("code_challenge", attempt.challenge());
    parameters.put("code_challenge_method", "S256");
    String page = there.authorization;
    return page + (page.indexOf('?') < 0 ? "?" : "&") + form(parameters);
  }

  /**
   * The token of who has signed in (OpenID Connect Core, 3.1.3), not verified.
   *
   * @throws IOException when the login does not give it
   */
  String idToken(String code, LoginAttempt attempt) throws IOException, InterruptedException {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("grant_type", "authorization_code");
    parameters.put("code", code);
    parameters.put("redirect_uri", config.callback());
    parameters.put("code_verifier", attempt.verifier());
    parameters.put("client_id", config.clientId());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(endpoints().token))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "application/json");
    if (config.clientSecret() != null) {
      String pair = encoded(config.clientId()) + ':' + encoded(config.clientSecret());
      byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    String answer =
        IssuerClient.ask(request.POST(HttpRequest.BodyPublishers.ofString(form(parameters))));
    return text(answer, "id_token", config.issuer());
  }

  private @Nullable Endpoints known() {
    Endpoints known = endpoints;
    return known != null && System.nanoTime() - known.untilNanos < 0 ? known : null;
  }

  private Endpoints endpoints() throws IOException, InterruptedException {
    Endpoints known = known();
    if (known != null) {
      return known;
    }
    String issuer = config.issuer();
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    String from = base + DISCOVERY;
    String answer = IssuerClient.get(URI.create(from));
    if (!text(answer, "issuer", from).equals(issuer)) {
      throw new IOException(from + " names another issuer than auth.jwt.issuer");
    }
    Endpoints found =
        new Endpoints(
            text(answer, "authorization_endpoint", from),
            text(answer, "token_endpoint", from),
            System.nanoTime() + DISCOVERED_AGAIN.toNanos());
    endpoints = found;
    return found;
  }

  private static String text(String json, String member, String from) throws IOException {
    try {
      JsonNode value = JsonMapper.shared().readTree(json).path(member);
      if (value.isString() && !value.stringValue().isEmpty()) {
        return value.stringValue();
      }
    } catch (JacksonException broken) {
      throw new IOException(from + " answers no JSON", broken);
    }
    throw new IOException(from + " gives no " + member);
  }

  private static String form(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(one -> one.getKey() + '=' + encoded(one.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
