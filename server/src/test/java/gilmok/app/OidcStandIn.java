package gilmok.app;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A small provider of OpenID Connect on loopback: discovery, keys, the authorization code with PKCE
 * (S256), a client with a secret. Everybody who comes is signed in as one person. It holds what the
 * specifications want: a code counts once, for its client, address and verifier.
 */
final class OidcStandIn implements AutoCloseable {
  private final HttpServer server;
  private final String client;
  private final String secret;
  private final RSAKey key;
  private final AtomicInteger codes = new AtomicInteger();
  private final Map<String, Map<String, String>> asked = new ConcurrentHashMap<>();
  private volatile Map<String, Object> person = Map.of();
  private volatile @Nullable String refusal;
  private volatile @Nullable String nonce;
  private volatile boolean breaks;
  private volatile CountDownLatch held = new CountDownLatch(0);

  OidcStandIn(String client, String secret) throws IOException, JOSEException {
    this.client = client;
    this.secret = secret;
    key = new RSAKeyGenerator(2048).keyID("k-1").generate();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/.well-known/openid-configuration", e -> answer(e, 200, discovery()));
    server.createContext("/keys", e -> answer(e, 200, new JWKSet(key).toString()));
    server.createContext("/authorize", this::authorize);
    server.createContext("/token", this::token);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** A port that nobody listens on. */
  int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Who is signed in from now on. */
  void person(String subject, String name, List<String> roles) {
    person = Map.of("sub", subject, "name", name, "roles", roles);
  }

  /** The error that it sends browsers back with; null for none. */
  void refuses(@Nullable String error) {
    refusal = error;
  }

  /** A nonce that it puts in place of the one that was asked for; null for none. */
  void nonce(@Nullable String other) {
    nonce = other;
  }

  /** Has those who ask for tokens wait until it gives them. */
  void holds(CountDownLatch untilThen) {
    held = untilThen;
  }

  /** Whether it gives no tokens. */
  void breaks(boolean isBroken) {
    breaks = isBroken;
  }

  /** A token of an hour with these claims. */
  String token(String subject, Map<String, Object> claims) throws JOSEException {
    JWTClaimsSet.Builder all =
        new JWTClaimsSet.Builder()
            .issuer(url())
            .subject(subject)
            .expirationTime(Date.from(Instant.now().plusSeconds(3600)));
    claims.forEach(all::claim);
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k-1").build(), all.build());
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }

  private String discovery() {
    return """
    {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize",
    "token_endpoint":"%1$s/token","jwks_uri":"%1$s/keys"}\
    """
        .formatted(url());
  }

  private void authorize(HttpExchange exchange) throws IOException {
    Map<String, String> query = parameters(exchange.getRequestURI().getRawQuery());
    boolean isRight =
        "code".equals(query.get("response_type"))
            && client.equals(query.get("client_id"))
            && "S256".equals(query.get("code_challenge_method"))
            && query.getOrDefault("scope", "").contains("openid");
    if (!isRight) {
      answer(exchange, 400, "wrong");
      return;
    }
    String code = "c-" + codes.incrementAndGet();
    asked.put(code, query);
    String said = refusal == null ? "code=" + code : "error=" + refusal;
    exchange
        .getResponseHeaders()
        .add(
            "Location",
            of(query, "redirect_uri") + "?" + said + "&state=" + encoded(of(query, "state")));
    answer(exchange, 302, "");
  }

  private void token(HttpExchange exchange) throws IOException {
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Map<String, String> form =
        parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    Map<String, String> query = asked.remove(form.getOrDefault("code", ""));
    String basic =
        "Basic "
            + Base64.getEncoder()
                .encodeToString(
                    (encoded(client) + ":" + encoded(secret)).getBytes(StandardCharsets.UTF_8));
    boolean isRight =
        query != null
            && !breaks
            && basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))
            && "authorization_code".equals(form.get("grant_type"))
            && of(query, "redirect_uri").equals(form.get("redirect_uri"))
            && of(query, "code_challenge").equals(hash(of(form, "code_verifier")));
    if (query == null || !isRight) {
      answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
      return;
    }
    Map<String, Object> claims = new HashMap<>(person);
    String subject = String.valueOf(claims.remove("sub"));
    claims.put("aud", client);
    claims.put("nonce", nonce == null ? query.get("nonce") : nonce);
    try {
      answer(
          exchange,
          200,
          "{\"token_type\":\"Bearer\",\"id_token\":\"" + token(subject, claims) + "\"}");
    } catch (JOSEException e) {
      answer(exchange, 500, String.valueOf(e.getMessage()));
    }
  }

  private static String of(Map<String, String> parameters, String name) {
    return parameters.getOrDefault(name, "");
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static Map<String, String> parameters(String form) {
    Map<String, String> all = new HashMap<>();
    for (String pair : form.split("&")) {
      int equals = pair.indexOf('=');
      all.put(
          pair.substring(0, equals),
          URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return all;
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
