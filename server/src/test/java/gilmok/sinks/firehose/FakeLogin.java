package gilmok.sinks.firehose;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * AWS's login services on loopback: the token service (STS), and the portal and the tokens of
 * single sign-on. Each key that it issues has another id, {@code ASIAROLE1}, {@code ASIASSO2}. A
 * refusal repeats the secret that it was sent, as the real one may.
 */
final class FakeLogin implements AutoCloseable {
  /** The only external id, and the only web identity, that is accepted. */
  static final String EXTERNAL_ID = "partner-7";

  static final String WEB_TOKEN = "w3b-t0ken-Shown-nowhere-A1";

  /** The only token of single sign-on that is accepted. */
  static final String SSO_TOKEN = "sso-T0ken-shown-nowhere-B2";

  private final HttpServer server;
  private final List<Map<String, String>> asked = new CopyOnWriteArrayList<>();
  private final AtomicInteger given = new AtomicInteger();
  private volatile Duration life = Duration.ofHours(1);

  FakeLogin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::tokenService);
    server.createContext("/federation/credentials", this::portal);
    server.createContext("/token", this::renewToken);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The parameters of each request; {@code path} is its path. */
  List<Map<String, String>> asked() {
    return asked;
  }

  /** Sets how long the keys that are issued from now on are valid. */
  void life(Duration length) {
    life = length;
  }

  private void tokenService(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> form = form(body);
    note(exchange, form);
    boolean isGood =
        "AssumeRole".equals(form.get("Action"))
            ? EXTERNAL_ID.equals(form.get("ExternalId"))
            : WEB_TOKEN.equals(form.get("WebIdentityToken"));
    if (!isGood) {
      String told = exchange.getRequestHeaders().getFirst("X-Amz-Security-Token") + " " + body;
      answer(
          exchange,
          403,
          "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>may not: "
              + told.replace("&", " ")
              + "</Message></Error><RequestId>r</RequestId></ErrorResponse>");
      return;
    }
    String action = form.get("Action");
    String key =
        "<AccessKeyId>ASIAROLE"
            + given.incrementAndGet()
            + "</AccessKeyId><SecretAccessKey>s3cret-Of-a-role</SecretAccessKey>"
            + "<SessionToken>session</SessionToken><Expiration>"
            + Instant.now().plus(life)
            + "</Expiration>";
    answer(
        exchange,
        200,
        """
        <%1$sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%1$sResult>
        <Credentials>%2$s</Credentials></%1$sResult></%1$sResponse>"""
            .formatted(action, key));
  }

  private void portal(HttpExchange exchange) throws IOException {
    note(exchange, form(exchange.getRequestURI().getRawQuery()));
    String token = exchange.getRequestHeaders().getFirst("x-amz-sso_bearer_token");
    if (!SSO_TOKEN.equals(token)) {
      exchange.getResponseHeaders().set("x-amzn-ErrorType", "UnauthorizedException");
      answer(exchange, 401, "{\"message\":\"no session " + token + "\"}");
      return;
    }
    answer(
        exchange,
        200,
        """
        {"roleCredentials":{"accessKeyId":"ASIASSO%d","secretAccessKey":"s3cret-Of-sso",
         "sessionToken":"session","expiration":%d}}"""
            .formatted(given.incrementAndGet(), Instant.now().plus(life).toEpochMilli()));
  }

  private void renewToken(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    note(exchange, Map.of("body", body));
    answer(
        exchange,
        200,
        "{\"accessToken\":\"" + SSO_TOKEN + "\",\"expiresIn\":3600,\"tokenType\":\"Bearer\"}");
  }

  private void note(HttpExchange exchange, Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(parameters);
    all.put("path", exchange.getRequestURI().getPath());
    asked.add(all);
  }

  private static Map<String, String> form(String text) {
    Map<String, String> form = new HashMap<>();
    for (String pair : text.split("&")) {
      String[] parts = pair.split("=", 2);
      form.put(parts[0], URLDecoder.decode(parts[parts.length - 1], StandardCharsets.UTF_8));
    }
    return form;
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    boolean isXml = body.startsWith("<");
    exchange.getResponseHeaders().set("Content-Type", isXml ? "text/xml" : "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
