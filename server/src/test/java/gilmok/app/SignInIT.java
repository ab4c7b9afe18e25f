package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People sign in on the pages by a login of their own: a small provider, over HTTP. */
@Tag("server")
final class SignInIT {
  private static final String DISPATCHER = "dispatcher";

  @TempDir Path data;
  private OidcStandIn login;
  private RunningServer server;
  private final HttpClient browser = HttpClient.newHttpClient();

  /** As a browser keeps them: Java's own manager writes them as RFC 2965 wanted once. */
  private final Map<String, String> cookies = new TreeMap<>();

  private String here = "";

  @BeforeEach
  void start() throws Exception {
    login = new OidcStandIn("gilmok-pages", "a secret of some length");
    open();
  }

  /** The server's own address is in its settings, so its port is chosen first. */
  private void open(String... more) throws Exception {
    int port = login.freePort();
    here = "http://127.0.0.1:" + port;
    List<String> settings =
        new ArrayList<>(
            List.of(
                "http.port=" + port,
                "auth.jwt.jwks=" + login.url() + "/keys",
                "auth.jwt.issuer=" + login.url(),
                "auth.jwt.audience=fleet",
                "auth.jwt.scopes-claim=roles",
                "auth.jwt.scopes-map=dispatcher:operate,dispatcher:read,viewer:read",
                "auth.oidc.client-id=gilmok-pages",
                "auth.oidc.client-secret=a secret of some length",
                "auth.oidc.url=" + here));
    settings.addAll(List.of(more));
    server = RunningServer.start(data, settings.toArray(String[]::new));
    cookies.clear();
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    login.close();
  }

  private HttpResponse<String> get(String url) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(url)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    String all =
        cookies.entrySet().stream()
            .map(one -> one.getKey() + '=' + one.getValue())
            .collect(Collectors.joining("; "));
    HttpResponse<String> answer =
        browser.send(
            all.isEmpty() ? request.build() : request.header("Cookie", all).build(),
            BodyHandlers.ofString());
    for (String set : answer.headers().allValues("Set-Cookie")) {
      String[] pair = set.substring(0, set.indexOf(';')).split("=", 2);
      assertThat(set).contains("HttpOnly");
      cookies.put(pair[0], pair[1]);
    }
    return answer;
  }

  private static String location(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isIn(302, 303);
    return answer.headers().firstValue("Location").orElseThrow();
  }

  /** Signs in as a browser does; returns the answer that ends it. */
  private HttpResponse<String> signIn(String to) throws Exception {
    String atLogin = location(get(here + "/login?to=" + to));
    return get(location(get(atLogin)));
  }

  private HttpResponse<String> page(String method, String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(here + path))
            .header("Origin", here)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body)));
  }

  @Test
  void signIn_asADispatcher_hasASession_andTheAuditNamesThem() throws Exception {
    login.person("u-1", "Mina Kim", List.of(DISPATCHER));

    assertThat(location(signIn("/ops"))).isEqualTo("/ops");

    HttpResponse<String> session = get(here + "/session");
    assertThat(session.statusCode()).isEqualTo(200);
    assertThat(session.body()).contains("Mina Kim", "operate", "read").doesNotContain("rider");
    assertThat(page("PUT", "/v1/devices/d-1", "{\"riderId\":\"r-1\"}").statusCode()).isEqualTo(200);
    Reply audit = server.get("/v1/audit");
    assertThat(audit.body()).contains("\"key\":\"jwt:u-1\"", "\"keyName\":\"Mina Kim\"");

    assertThat(page("DELETE", "/session", "").statusCode()).isEqualTo(204);
    assertThat(get(here + "/session").statusCode()).isEqualTo(401);
  }

  @Test
  void signIn_asSomebodyWhoMayNothing_saysSo() throws Exception {
    login.person("u-2", "Stranger", List.of("cook"));
    HttpResponse<String> refused = signIn("/");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("allows nothing", "/login");
    assertThat(get(here + "/session").statusCode()).isEqualTo(401);
  }

  @Test
  void callback_ofALoginThatThisBrowserDidNotBegin_isRefused() throws Exception {
    login.person("u-1", "Mina Kim", List.of(DISPATCHER));
    String back = location(get(location(get(here + "/login"))));
    HttpResponse<String> other =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(URI.create(back)).build(), BodyHandlers.ofString());
    assertThat(other.statusCode()).isEqualTo(400);
    assertThat(get(back.replace("state=", "state=x")).statusCode()).isEqualTo(400);
    assertThat(location(get(back))).isEqualTo("/");
    assertThat(get(back).statusCode()).as("a code counts once").isEqualTo(502);
  }

  @Test
  void signIn_whereTheProviderFails_saysSo_andWorksAgainAfterwards() throws Exception {
    login.person("u-1", "Mina Kim", List.of(DISPATCHER));
    login.refuses("access_denied");
    HttpResponse<String> denied = signIn("/");
    assertThat(denied.statusCode()).isEqualTo(401);
    assertThat(denied.body()).contains("access_denied");
    login.refuses(null);
    login.nonce("of another login");
    assertThat(signIn("/").statusCode()).isEqualTo(401);
    login.nonce(null);
    login.breaks(true);
    assertThat(signIn("/").statusCode()).isEqualTo(502);
    login.breaks(false);
    assertThat(location(signIn("/"))).isEqualTo("/");
  }

  @Test
  void callback_ofAStateThatWasNeverGivenOut_isRefused() throws Exception {
    String own = "v".repeat(43);
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(("state " + own).getBytes(StandardCharsets.US_ASCII));
    String state = Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    assertThat(get(here + "/login").statusCode()).isEqualTo(302);
    String given = cookies.getOrDefault("gilmok_login", "");
    for (String forged : List.of(own + ".", own + given.substring(43), given + "x")) {
      cookies.put("gilmok_login", forged);
      assertThat(get(here + "/login/callback?code=c&state=" + state).statusCode())
          .as(forged)
          .isEqualTo(400);
    }
  }

  @Test
  void callback_manyWhileTheProviderHangs_leavesPlacesForOthers() throws Exception {
    login.person("u-1", "Mina Kim", List.of(DISPATCHER));
    String back = location(get(location(get(here + "/login"))));
    String cookie = "gilmok_login=" + cookies.get("gilmok_login");
    CountDownLatch end = new CountDownLatch(1);
    login.holds(end);
    AtomicInteger busy = new AtomicInteger();
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(back)).header("Cookie", cookie).build();
      CompletableFuture<HttpResponse<String>> one =
          browser
              .sendAsync(request, BodyHandlers.ofString())
              .whenComplete((answer, _) -> busy.addAndGet(isBusy(answer) ? 1 : 0));
      all.add(one);
    }
    long until = System.nanoTime() + 8_000_000_000L;
    while (busy.get() < 8 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(busy).hasValue(8);
    assertThat(server.metric("gilmok_login_return_in_flight")).isEqualTo(4);
    assertThat(get(here + "/login").statusCode()).as("others go there").isEqualTo(302);
    end.countDown();
    List<Integer> others = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> one : all) {
      others.add(one.get(30, TimeUnit.SECONDS).statusCode());
    }
    assertThat(others).filteredOn(status -> status == 303).hasSize(1);
    assertThat(others).filteredOn(status -> status == 502).hasSize(3);
  }

  private static boolean isBusy(@Nullable HttpResponse<String> answer) {
    return answer != null && answer.statusCode() == 503;
  }

  @Test
  void session_byAToken_endsWithIt() throws Exception {
    String token = login.token("u-1", Map.of("aud", "fleet", "roles", List.of(DISPATCHER)));
    HttpResponse<String> opened = page("POST", "/session", "{\"key\":\"" + token + "\"}");
    assertThat(opened.statusCode()).isEqualTo(204);
    String set = opened.headers().firstValue("Set-Cookie").orElseThrow();
    int seconds = Integer.parseInt(set.replaceAll(".*Max-Age=(\\d+).*", "$1"));
    assertThat(seconds).as("the token's hour, not 12").isBetween(3_400, 3_600);
  }

  @Test
  void token_whoseTimesAreNone_isRefused() throws Exception {
    Base64.Encoder text = Base64.getUrlEncoder().withoutPadding();
    String unsigned =
        text.encodeToString("{\"alg\":\"RS256\",\"kid\":\"k-1\"}".getBytes(StandardCharsets.UTF_8))
            + '.'
            + text.encodeToString(
                ("{\"iss\":\"" + login.url() + "\",\"aud\":\"fleet\",\"exp\":1e300}")
                    .getBytes(StandardCharsets.UTF_8))
            + ".AAAA";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(here + "/v1/audit"))
            .header("Authorization", "Bearer " + unsigned);
    assertThat(send(request).statusCode()).isEqualTo(401);
  }

  @Test
  void login_toAForeignPage_endsOnOurs() throws Exception {
    login.person("u-1", "Mina Kim", List.of("viewer"));
    assertThat(location(signIn("https://evil.example"))).isEqualTo("/");
    assertThat(location(signIn("//evil.example"))).isEqualTo("/");
    assertThat(page("PUT", "/v1/devices/d-1", "{\"riderId\":\"r-1\"}").statusCode()).isEqualTo(403);
  }

  @Test
  void proxy_thatSignsPeopleIn_passesTheirTokenOn() throws Exception {
    server.close();
    open("http.trusted-proxies=127.0.0.1", "auth.proxy-header=X-Forwarded-Access-Token");
    String token = login.token("u-1", Map.of("aud", "fleet", "roles", List.of(DISPATCHER)));
    assertThat(proxied("GET", token, "/session", "").statusCode()).isEqualTo(200);
    assertThat(proxied("PUT", token, "/v1/devices/d-1", here).statusCode()).isEqualTo(200);
    assertThat(proxied("PUT", token, "/v1/devices/d-1", "https://evil.example").statusCode())
        .as("the proxy adds it to requests of foreign pages, too")
        .isEqualTo(403);
    assertThat(proxied("GET", token + "x", "/session", "").statusCode()).isEqualTo(401);

    server.close();
    open("http.trusted-proxies=127.0.0.2", "auth.proxy-header=X-Forwarded-Access-Token");
    assertThat(proxied("GET", token, "/session", "").statusCode())
        .as("anybody can send that header")
        .isEqualTo(401);
  }

  private HttpResponse<String> proxied(String method, String token, String path, String origin)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(here + path))
            .header("X-Forwarded-Access-Token", token)
            .header("Content-Type", "application/json");
    if (!origin.isEmpty()) {
      request.header("Origin", origin);
    }
    return HttpClient.newHttpClient()
        .send(
            request
                .method(
                    method,
                    method.equals("GET")
                        ? BodyPublishers.noBody()
                        : BodyPublishers.ofString("{\"riderId\":\"r-1\"}"))
                .build(),
            BodyHandlers.ofString());
  }
}
