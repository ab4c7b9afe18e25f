package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A session counts for pages of this origin alone; and the places from which keys are taken. */
@Tag("server")
final class ForeignPageTest {
  private static final String COOKIE = "Cookie: gilmok_session=good";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "GET | none | none | 200",
        "GET | same-origin | none | 200",
        "GET | none | http://t | 200",
        "GET | none | http://t:81 | 403",
        "GET | same-site | none | 403",
        "GET | cross-site | none | 403",
        "POST | none | none | 403",
        "POST | same-origin | none | 200",
        "POST | same-origin | http://t | 200",
        "POST | none | http://t | 200",
        "POST | none | HTTP://T | 200",
        "POST | none | http://t:80 | 403",
        "POST | none | http://t:81 | 403",
        "POST | none | https://t | 403",
        "POST | none | http://t.evil.example | 403",
        "POST | none | null | 403",
        "POST | same-site | http://t | 403",
        "POST | cross-site | http://evil.example | 403",
      })
  void session_onlyWhereTheBrowserNamesThisOrigin(
      String method, String site, String origin, int status) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      StringBuilder head = new StringBuilder(method);
      head.append(method.equals("GET") ? " /query?q=1" : " /echo").append(" HTTP/1.1\r\nHost: t");
      head.append("\r\n").append(COOKIE).append("\r\nContent-Length: 0");
      head.append(site == null ? "" : "\r\nSec-Fetch-Site: " + site);
      head.append(origin == null ? "" : "\r\nOrigin: " + origin);
      Wire.Answer answer = wire.send(head.append("\r\n\r\n").toString()).read();

      assertThat(answer.status()).isEqualTo(status);
      if (status == 403) {
        assertThat(answer.text()).contains("foreign-page", "\"field\":\"Origin\"");
      }
    }
  }

  @Test
  void session_behindATrustedProxy_theOriginIsTheProxys() throws Exception {
    try (Edge edge = new Edge(config -> config.proxies("127.0.0.1"));
        Wire wire = edge.wire()) {
      String[] head = {
        "POST /echo HTTP/1.1",
        "Host: inside:8080",
        COOKIE,
        "Content-Length: 0",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Host: fleet.example",
        "Origin: https://fleet.example"
      };
      assertThat(wire.head(head).read().status()).isEqualTo(200);
      head[6] = "Origin: http://fleet.example";
      assertThat(wire.head(head).read().status()).isEqualTo(403);
      head[6] = "Origin: https://inside:8080";
      assertThat(wire.head(head).read().status()).isEqualTo(403);
    }
  }

  /** Some proxies name the usual port in Host; no browser does in Origin. */
  @Test
  void session_hostWithTheUsualPort_isThisOrigin() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      String[] head = {
        "POST /echo HTTP/1.1", "Host: t:80", "Content-Length: 0", "Origin: http://t", COOKIE
      };
      assertThat(wire.head(head).read().status()).isEqualTo(200);
      head[1] = "Host: t:8080";
      assertThat(wire.head(head).read().status()).isEqualTo(403);
    }
  }

  /** A browser adds Basic credentials that it remembers by itself; phones name no page. */
  @Test
  void basic_ofAForeignPage_isRefused_andOfAPhoneOrAProgramIsNot() throws Exception {
    String basic =
        "Authorization: Basic "
            + Base64.getEncoder().encodeToString("x:good".getBytes(StandardCharsets.US_ASCII));
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      String[] head = {
        "POST /echo HTTP/1.1", "Host: t", "Content-Length: 0", basic, "Origin: http://evil.example"
      };
      assertThat(wire.head(head).read().status()).isEqualTo(403);
      head[4] = "Sec-Fetch-Site: cross-site";
      assertThat(wire.head(head).read().status()).isEqualTo(403);
      // Then the credentials are looked at; this edge knows none of that kind.
      head[4] = "Origin: http://t";
      assertThat(wire.head(head).read().status()).isEqualTo(401);
      head[4] = "User-Agent: a program";
      assertThat(wire.head(head).read().status()).isEqualTo(401);
      head[3] = "X-Api-Key: good";
      head[4] = "Origin: http://evil.example";
      assertThat(wire.head(head).read().status()).isEqualTo(200);
    }
  }

  /** An operator who names an origin trusts its pages; whoever lets all in trusts none. */
  @Test
  void basic_ofAPageThatTheOperatorNamed_isLookedAt_andOfAnyPageIsNot() throws Exception {
    String[] head = {
      "POST /echo HTTP/1.1",
      "Host: t",
      "Content-Length: 0",
      "Authorization: Basic eDpnb29k",
      "Origin: https://desk.example"
    };
    try (Edge edge = new Edge(settable -> settable.origins(List.of("https://desk.example")));
        Wire wire = edge.wire()) {
      assertThat(wire.head(head).read().status()).isEqualTo(401);
    }
    try (Edge edge = new Edge(settable -> settable.origins(List.of("*")));
        Wire wire = edge.wire()) {
      assertThat(wire.head(head).read().status()).isEqualTo(403);
    }
  }

  @Test
  void session_inTheSecondCookieLine_isFound() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.head("GET /query?q=1 HTTP/1.1", "Host: t", "Cookie: theme=dark", COOKIE);
      assertThat(wire.read().status()).isEqualTo(200);
    }
  }

  /** An open page needs no key: one in its URL opens nothing and is no reason to refuse. */
  @Test
  void keyInTheQueryOfAnOpenPage_isIgnored() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (String key : new String[] {"good", "wrong"}) {
        wire.head("GET /?key=" + key + " HTTP/1.1", "Host: t");
        assertThat(wire.read().text()).isEqualTo("page");
      }
      wire.head("GET /query?q=1&key=good HTTP/1.1", "Host: t");
      assertThat(wire.read().text()).contains("key-in-query", "\"field\":\"key\"");
    }
  }

  @Test
  void emptyHeader_hidesNoKeyBehindIt() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.head("GET /query?q=1 HTTP/1.1", "Host: t", "X-Api-Key: ", "Authorization: Bearer good");
      assertThat(wire.read().status()).isEqualTo(200);
      wire.head("GET /?key=good HTTP/1.1", "Host: t", "X-Api-Key:", "Authorization:");
      assertThat(wire.read().status()).isEqualTo(200);
    }
  }

  /** Whatever else is wrong, what follows on such a connection is not read as a request. */
  @Test
  void twoHosts_are400_beforeAnyOtherRefusal() throws Exception {
    for (String path : new String[] {"/nope", "/query", "/query?key=x", "/health/live"}) {
      try (Edge edge = new Edge();
          Wire wire = edge.wire()) {
        Wire.Answer answer = wire.head("GET " + path + " HTTP/1.1", "Host: a", "Host: b").read();
        assertThat(answer.status()).as(path).isEqualTo(400);
        assertThat(answer.header("connection")).isEqualTo("close");
      }
    }
  }

  /** A script of another origin may send a key of its own: that is no session. */
  @Test
  void key_fromAnotherOrigin_counts() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      assertThat(
              wire.get("/query?q=1", "Origin: http://other", "Sec-Fetch-Site: cross-site")
                  .read()
                  .status())
          .isEqualTo(200);
    }
  }

  /** There the parameter is the id of a key; a whole key in its place is one in the URL. */
  @Test
  void keyInTheQuery_whereAnIdIsTaken_isRefusedAsAKey_alsoWithoutOneInAHeader() throws Exception {
    String key = "gk_abcdefghijkl_" + "a2".repeat(26);
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (String header : new String[] {"X-Api-Key: good", "X-Other: 1", COOKIE}) {
        for (String sent : new String[] {key, key.replace("_", "%5F"), key.replace("g", "%67")}) {
          Wire.Answer answer =
              wire.head("GET /v1/audit?key=" + sent + " HTTP/1.1", "Host: t", header).read();
          assertThat(answer.status()).isEqualTo(400);
          assertThat(answer.text())
              .contains("/docs/errors#key-in-query", "\"field\":\"key\"")
              .doesNotContain("a2a2");
        }
      }
      assertThat(wire.get("/v1/audit?key=abcdefghijkl").read().text()).isEqualTo("of abcdefghijkl");
      wire.head("GET /v1/audit?key=abcdefghijkl HTTP/1.1", "Host: t");
      assertThat(wire.read().status()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/query?key=good",
    "/query?q=1&key=good",
    "/query?%6bey=good",
    "/query?key=",
    "/metrics?key=good"
  })
  void keyInTheQuery_beyondPhonesUrls_is400(String path) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (String header : new String[] {"X-Api-Key: good", "X-Other: 1", COOKIE}) {
        Wire.Answer answer = wire.head("GET " + path + " HTTP/1.1", "Host: t", header).read();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text())
            .contains("/docs/errors#key-in-query", "\"field\":\"key\"")
            .doesNotContain("good\"");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "none | 200",
        "application/json | 200",
        "Application/JSON; charset=utf-8 | 200",
        "text/json | 200",
        "application/x-ndjson | 415",
        "image/png | 415",
        "text/plain | 415",
        "application/x-www-form-urlencoded | 415",
        "multipart/form-data; boundary=x | 415",
        "application/jsonp | 415",
      })
  void bodyType_isCheckedOnEveryRoute(String type, int status) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      byte[] body = "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
      String header = type == null ? "X-Other: 1" : "Content-Type: " + type;
      Wire.Answer answer = wire.post("/echo", body, header).read();

      assertThat(answer.status()).isEqualTo(status);
      if (status == 415) {
        assertThat(answer.text()).contains("\"field\":\"Content-Type\"", "send application/json");
      }
      assertThat(wire.post("/?key=good", body, header).read().status())
          .as("a phone is never refused")
          .isEqualTo(200);
    }
  }
}
