package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The map's files and session, over HTTP. How they look and behave: {@link MapPageIT}. */
@Tag("server")
final class PagesIT {
  private static final Pattern ASSET = Pattern.compile("\"(/assets/[0-9a-f]{16}/[\\w.-]+)\"");

  @TempDir Path data;

  @Test
  void map_isPublicAndMayLoadNothingFromElsewhere() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> page = get(client, server, "/");

      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(header(page, "content-type")).isEqualTo("text/html; charset=utf-8");
      assertThat(header(page, "content-security-policy"))
          .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
          .doesNotContain("unsafe", "http");
      assertThat(header(page, "x-content-type-options")).isEqualTo("nosniff");
      assertThat(header(page, "referrer-policy")).isEqualTo("no-referrer");
      assertThat(header(page, "permissions-policy")).contains("geolocation=()");
      assertThat(page.body()).doesNotContain("{version}", "{tiles}", "{attribution}");

      String tag = header(page, "etag");
      HttpResponse<String> again = get(client, server, "/", "If-None-Match", tag);
      assertThat(again.statusCode()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
    }
  }

  @Test
  void assets_areServedPackedAndForEver() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      Matcher asset = ASSET.matcher(get(client, server, "/").body());
      int served = 0;
      while (asset.find()) {
        HttpResponse<String> plain = get(client, server, asset.group(1));
        assertThat(plain.statusCode()).as(asset.group(1)).isEqualTo(200);
        assertThat(header(plain, "cache-control")).contains("immutable");
        assertThat(header(plain, "vary")).isEqualTo("Accept-Encoding");
        assertThat(header(plain, "content-encoding")).isEmpty();
        HttpResponse<String> packed =
            get(client, server, asset.group(1), "Accept-Encoding", "gzip, br");
        assertThat(header(packed, "content-encoding")).isEqualTo("gzip");
        served++;
      }
      assertThat(served).isGreaterThanOrEqualTo(4);
      String path =
          ASSET.matcher(get(client, server, "/").body()).results().toList().get(0).group(1);
      assertThat(get(client, server, path.replaceFirst("[^/]+$", "nothing.js")).statusCode())
          .isEqualTo(404);
      assertThat(get(client, server, path.replaceFirst("/assets/\\w+", "/assets/0")).statusCode())
          .isEqualTo(404);
      assertThat(get(client, server, path.replaceFirst("[^/]+$", "..%2findex.html")).statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void tiles_onlyTheirOriginIsAddedToThePolicy() throws Exception {
    try (RunningServer server =
            RunningServer.start(
                data,
                "map.tiles=https://t.example/{z}/{x}/{y}.png?k=1&l=2",
                "map.attribution=<us>");
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> page = get(client, server, "/");
      assertThat(header(page, "content-security-policy"))
          .contains("img-src 'self' data: blob: https://t.example;")
          .contains("connect-src 'self' https://t.example;");
      assertThat(page.body())
          .contains("data-tiles=\"https://t.example/{z}/{x}/{y}.png?k=1&amp;l=2\"")
          .contains("data-attribution=\"&lt;us&gt;\"");
    }
  }

  @Test
  void session_standsForItsKey_untilThatIsRevoked() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      server.post("/v1/traces", "{\"riderId\":\"r-7\",\"at\":1,\"lat\":1,\"lon\":1}");
      Reply made =
          server.post("/v1/keys", "{\"name\":\"page\",\"scopes\":[\"read\"],\"rider\":\"r-7\"}");
      HttpResponse<String> begun = begin(client, server, made.json().get("key").asString());

      assertThat(begun.statusCode()).isEqualTo(204);
      String cookie = header(begun, "set-cookie");
      assertThat(cookie)
          .contains("; Path=/", "; HttpOnly", "; SameSite=Strict", "; Max-Age=2592000")
          .doesNotContain("Secure");
      String session = cookie.substring(0, cookie.indexOf(';'));
      HttpResponse<String> shown = get(client, server, "/session", "Cookie", "a=b; " + session);
      assertThat(shown.body())
          .startsWith("{\"name\":\"page\",\"scopes\":[\"read\"],\"rider\":\"r-7\",\"now\":\"20");
      String own = "/v1/riders/r-7/position";
      assertThat(get(client, server, own, "Cookie", session).statusCode()).isIn(200, 404);
      String others = "/v1/riders/r-8/position";
      assertThat(get(client, server, others, "Cookie", session).statusCode()).isEqualTo(403);

      String id = made.json().get("id").asString();
      assertThat(server.send(server.adminKey(), "DELETE", "/v1/keys/" + id, "", "").status())
          .isEqualTo(204);
      assertThat(get(client, server, own, "Cookie", session).statusCode()).isEqualTo(401);
      assertThat(get(client, server, "/session", "Cookie", session).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void session_ofAnotherSitesRequest_doesNotCount() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      String cookie = header(begin(client, server, server.adminKey()), "set-cookie");
      String session = cookie.substring(0, cookie.indexOf(';'));
      for (String site : new String[] {"cross-site", "same-site"}) {
        HttpResponse<String> reply =
            get(client, server, "/v1/keys", "Cookie", session, "Sec-Fetch-Site", site);
        assertThat(reply.statusCode()).as(site).isEqualTo(403);
      }
      HttpResponse<String> own =
          get(client, server, "/v1/keys", "Cookie", session, "Sec-Fetch-Site", "same-origin");
      assertThat(own.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void behindATrustedProxyThatEndsTls_cookiesAreSecure_andEveryAnswerHasHsts() throws Exception {
    String hsts = "strict-transport-security";
    String[] https = {"X-Forwarded-Proto", "https"};
    try (RunningServer server = RunningServer.start(data, "http.trusted-proxies=127.0.0.1");
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest begin =
          HttpRequest.newBuilder(server.uri("/session"))
              .headers("Content-Type", "application/json", https[0], https[1])
              .POST(BodyPublishers.ofString("{\"key\":\"" + server.adminKey() + "\"}"))
              .build();
      assertThat(header(client.send(begin, BodyHandlers.ofString()), "set-cookie"))
          .contains("; Secure");
      for (String path : List.of("/", "/docs/errors", "/v1/positions", "/none", "/track/a.b")) {
        assertThat(get(client, server, path, https).headers().allValues(hsts))
            .as(path)
            .containsExactly("max-age=31536000");
      }
      assertThat(header(get(client, server, "/"), hsts)).isEmpty();
    }
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(header(get(client, server, "/", https), hsts)).as("nobody is trusted").isEmpty();
    }
  }

  @Test
  void session_badKeys_areRefusedWithTheReason() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(begin(client, server, "gk_aaaaaaaaaaaa_b").statusCode()).isEqualTo(401);
      assertThat(begin(client, server, "").body()).contains("key-missing");
      String collect = server.key("{\"name\":\"phone\",\"scopes\":[\"collect\"]}");
      HttpResponse<String> scope = begin(client, server, collect);
      assertThat(scope.statusCode()).isEqualTo(403);
      assertThat(scope.body()).contains("lacks the scope read");
      for (String body : new String[] {"", "[]", "{}", "{\"key\":7}", "{", "null"}) {
        Reply reply = server.send("", "POST", "/session", "application/json", body);
        assertThat(reply.status()).as(body).isEqualTo(400);
        assertThat(reply.json().path("field").asString()).isEqualTo("key");
      }
      String good = "{\"key\":\"" + server.adminKey() + "\"}";
      assertThat(server.send("", "POST", "/session", "", good).status())
          .as("no Content-Type counts as JSON, as on every route")
          .isEqualTo(204);
      String form = "key=" + server.adminKey();
      assertThat(server.send("", "POST", "/session", "text/plain", form).status()).isEqualTo(415);
      assertThat(server.send("", "GET", "/session", "", "").status()).isEqualTo(401);
      HttpResponse<String> ended =
          client.send(
              HttpRequest.newBuilder(server.uri("/session")).DELETE().build(),
              BodyHandlers.ofString());
      assertThat(header(ended, "set-cookie")).contains("gilmok_session=;", "Max-Age=0");
    }
  }

  private static HttpResponse<String> begin(HttpClient client, RunningServer server, String key)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(server.uri("/session"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"key\":\"" + key + "\"}"))
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(
      HttpClient client, RunningServer server, String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
