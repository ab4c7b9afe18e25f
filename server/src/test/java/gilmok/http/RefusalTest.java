package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every refusal as its client sees it. None is logged. */
@Tag("server")
final class RefusalTest {
  private static final String NO_KEY = "Host: t";

  private final LogLines log = new LogLines();
  private Edge edge;
  private Wire wire;

  @BeforeEach
  void start() throws Exception {
    edge =
        new Edge(
            config -> {
              config.requestsMax = 4;
              config.bodiesBytesMax = 6 << 20;
              return config;
            });
    wire = edge.wire();
  }

  @AfterEach
  void stop() throws Exception {
    wire.close();
    Edge.await(edge::isEmpty);
    edge.close();
    assertThat(log.lines()).isEmpty();
    log.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void assertRefused(Wire.Answer answer, Refusal refusal) {
    assertThat(answer.status()).isEqualTo(refusal.status());
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.text())
        .startsWith("{\"type\":\"/docs/errors#" + refusal.label() + "\",\"title\":\"")
        .contains("\",\"status\":" + refusal.status() + ",\"detail\":\"")
        .endsWith("\"}");
    if (refusal.status() < 500) {
      assertThat(answer.text()).contains(",\"field\":\"", ",\"reason\":\"");
    }
    assertThat(edge.count(refusal)).isPositive();
  }

  @Test
  void head_thatAnotherServerCouldReadDifferently_isMalformed() throws Exception {
    assertRefused(wire.send("GET /health/live HTTP/1.1\r\n\r\n").read(), Refusal.MALFORMED);
    try (Wire packed = edge.wire()) {
      assertRefused(
          packed
              .send(
                  "POST /invalid HTTP/1.1\r\nHost: t\r\nX-Api-Key: good\r\n"
                      + "Transfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")
              .read(),
          Refusal.MALFORMED);
    }
  }

  @Test
  void invalid_namesFieldAndReason() throws Exception {
    Wire.Answer answer = wire.post("/invalid", bytes("x")).read();
    assertRefused(answer, Refusal.INVALID);
    assertThat(answer.text())
        .isEqualTo(
            "{\"type\":\"/docs/errors#invalid\",\"title\":\"Bad Request\",\"status\":400,"
                + "\"detail\":\"positions[0].\\\"lat\\\": not a\\u000anumber\","
                + "\"field\":\"positions[0].\\\"lat\\\"\",\"reason\":\"not a\\u000anumber\"}");
  }

  @Test
  void key_missingUnknownExpiredFast() throws Exception {
    Wire.Answer missing = wire.head("GET /query HTTP/1.1", NO_KEY).read();
    assertRefused(missing, Refusal.KEY_MISSING);
    assertThat(missing.header("www-authenticate")).contains("Bearer").contains("Basic");
    assertRefused(
        wire.head("GET /query HTTP/1.1", NO_KEY, "X-Api-Key: bad").read(), Refusal.KEY_UNKNOWN);
    assertRefused(
        wire.head("GET /query HTTP/1.1", "X-Api-Key: expired", NO_KEY).read(), Refusal.KEY_EXPIRED);
    Wire.Answer fast = wire.head("GET /query HTTP/1.1", "X-Api-Key: fast", NO_KEY).read();
    assertRefused(fast, Refusal.TOO_FAST);
    assertThat(Integer.parseInt(fast.header("retry-after"))).isBetween(1, 5);
  }

  @Test
  void key_withoutScopeOrOfSomebodyElse() throws Exception {
    assertRefused(
        wire.head("POST /echo HTTP/1.1", "X-Api-Key: reader", NO_KEY, "Content-Length: 0").read(),
        Refusal.SCOPE_MISSING);
    assertRefused(
        wire.head("GET /riders/bert/position HTTP/1.1", "X-Api-Key: anna", NO_KEY).read(),
        Refusal.NOT_YOURS);
    assertRefused(
        wire.head("GET /riders/anna/position HTTP/1.1", "X-Api-Key: anna", NO_KEY).read(),
        Refusal.NOT_YOURS);
    assertRefused(
        wire.head("GET /query HTTP/1.1", "X-Api-Key: anna", NO_KEY).read(), Refusal.NOT_YOURS);
    assertRefused(
        wire.head("GET /metrics HTTP/1.1", "X-Api-Key: anna", NO_KEY).read(), Refusal.NOT_YOURS);
    assertThat(
            wire.head("GET /riders/anna%2f1/position HTTP/1.1", "X-Api-Key: anna", NO_KEY)
                .read()
                .status())
        .isEqualTo(200);
    assertThat(
            wire.head("POST /echo HTTP/1.1", "X-Api-Key: anna", NO_KEY, "Content-Length: 0")
                .read()
                .status())
        .isEqualTo(200);
  }

  @Test
  void path_unknown_isNotFound() throws Exception {
    for (String path :
        new String[] {
          "/none", "/echo/", "/riders//position", "/riders/a/b/position", "/riders/a", "*", "//"
        }) {
      assertRefused(wire.head("GET " + path + " HTTP/1.1", NO_KEY).read(), Refusal.NOT_FOUND);
    }
  }

  @Test
  void method_notTaken_namesThoseTaken() throws Exception {
    Wire.Answer post = wire.head("DELETE /echo HTTP/1.1", NO_KEY).read();
    assertRefused(post, Refusal.METHOD_NOT_ALLOWED);
    assertThat(post.header("allow")).isEqualTo("POST");
    Wire.Answer get = wire.head("BREW /query HTTP/1.1", NO_KEY).read();
    assertRefused(get, Refusal.METHOD_NOT_ALLOWED);
    assertThat(get.header("allow")).isEqualTo("GET, HEAD");
    assertRefused(
        wire.head("OPTIONS /echo HTTP/1.1", NO_KEY, "Origin: http://a").read(),
        Refusal.METHOD_NOT_ALLOWED);
  }

  @Test
  void body_tooLarge_isRefusedBeforeItIsSent() throws Exception {
    wire.head("POST /echo HTTP/1.1", "X-Api-Key: good", NO_KEY, "Content-Length: 99999999999");
    Wire.Answer answer = wire.read();
    assertRefused(answer, Refusal.TOO_LARGE);
    assertThat(answer.header("connection")).isEqualTo("close");
    assertThat(wire.isClosedByServer()).isTrue();
  }

  @Test
  void body_tooLarge_isReadableByOneWhoKeepsSending() throws Exception {
    byte[] body = new byte[7 << 20];
    wire.post("/echo", body);
    assertRefused(wire.read(), Refusal.TOO_LARGE);
    assertThat(wire.isClosedByServer()).isTrue();
  }

  @Test
  void body_chunkedTooLarge_isRefusedOnTheWay() throws Exception {
    wire.head("POST /echo HTTP/1.1", "X-Api-Key: good", NO_KEY, "Transfer-Encoding: chunked");
    byte[] chunk = new byte[1 << 20];
    for (int i = 0; i < 5; i++) {
      wire.send("100000\r\n").send(chunk).send("\r\n");
    }
    wire.send("0\r\n\r\n");
    assertRefused(wire.read(), Refusal.TOO_LARGE);
    assertThat(wire.isClosedByServer()).isTrue();
  }

  @Test
  void body_smallAndRefused_keepsTheConnection() throws Exception {
    byte[] body = new byte[60_000];
    for (int i = 0; i < 50; i++) {
      assertRefused(wire.post("/none", body).read(), Refusal.NOT_FOUND);
    }
    wire.head("POST /none HTTP/1.1", NO_KEY, "Transfer-Encoding: chunked");
    wire.send("3\r\nabc\r\n0\r\n\r\n");
    assertRefused(wire.read(), Refusal.NOT_FOUND);
    assertThat(wire.post("/echo", bytes("x")).read().text()).isEqualTo("x");
  }

  @Test
  void body_onRouteWithoutOne_isTooLarge() throws Exception {
    assertRefused(wire.get("/query?q=1", "Content-Length: 3").read(), Refusal.TOO_LARGE);
  }

  /** Generated clients send an empty object where the route takes no body. */
  @Test
  void body_onRouteWithoutOne_thatSaysNothing_isIgnored() throws Exception {
    for (String body : new String[] {"{}", " ", "\r\n", "\t "}) {
      for (String type : new String[] {"application/json", "text/plain"}) {
        wire.get("/query?q=1", "Content-Type: " + type, "Content-Length: " + body.length());
        assertThat(wire.send(body).read().text()).as(body).isEqualTo("1");
      }
    }
    wire.get("/query?q=1", "Transfer-Encoding: chunked").send("1\r\n{\r\n1\r\n}\r\n0\r\n\r\n");
    assertThat(wire.read().text()).isEqualTo("1");
  }

  @Test
  void body_onRouteWithoutOne_thatSaysSomething_isTooLarge_withTheReason() throws Exception {
    for (String body : new String[] {"1", "[]", "{a", "a}", "{} ", "{\"a\":1}"}) {
      wire.get("/query?q=1", "Content-Length: " + body.length()).send(body);
      Wire.Answer answer = wire.read();
      assertRefused(answer, Refusal.TOO_LARGE);
      assertThat(answer.text())
          .contains("\"field\":\"body\"", "no body is taken here, except for {}");
    }
    wire.get("/query?q=1", "Transfer-Encoding: chunked").send("3\r\n{} \r\n0\r\n\r\n");
    assertRefused(wire.read(), Refusal.TOO_LARGE);
  }

  @Test
  void expect_refused_isNotToldToSend() throws Exception {
    wire.head("POST /echo HTTP/1.1", NO_KEY, "Content-Length: 3", "Expect: 100-continue");
    Wire.Answer answer = wire.read();
    assertRefused(answer, Refusal.KEY_MISSING);
    assertThat(answer.header("connection")).isEqualTo("close");
    assertThat(wire.isClosedByServer()).isTrue();
  }

  @Test
  void coding_unknown_isMediaType() throws Exception {
    for (String coding : new String[] {"br", "deflate", "gzip, gzip", "x"}) {
      Wire.Answer answer = wire.post("/echo", bytes("x"), "Content-Encoding: " + coding).read();
      assertRefused(answer, Refusal.MEDIA_TYPE);
      assertThat(answer.header("accept-encoding")).isEqualTo("gzip, zstd");
      assertThat(answer.text()).contains("\"field\":\"Content-Encoding\"");
    }
  }

  @Test
  void requests_tooMany_areBusyByPriority() throws Exception {
    try (Wire one = edge.wire();
        Wire two = edge.wire();
        Wire three = edge.wire();
        Wire four = edge.wire()) {
      one.post("/hold", bytes("1"));
      two.post("/hold", bytes("2"));
      three.post("/hold", bytes("3"));
      Edge.await(() -> edge.held.size() == 3);
      // The limit is four: positions may take 85 % of it, actions all.
      Wire.Answer busy = four.post("/echo", bytes("4")).read();
      assertRefused(busy, Refusal.BUSY);
      assertThat(Integer.parseInt(busy.header("retry-after"))).isBetween(1, 5);
      assertThat(four.post("/act", bytes("4")).read().status()).isEqualTo(200);
      assertThat(four.get("/health/live").read().status()).isEqualTo(200);
      assertThat(edge.listener.requestsUnderWay()).isEqualTo(3);
      edge.held.forEach(exchange -> exchange.reply(204));
      assertThat(one.read().status()).isEqualTo(204);
      assertThat(four.post("/echo", bytes("4")).read().status()).isEqualTo(200);
    }
  }

  @Test
  void bodies_tooManyBytes_areBusy() throws Exception {
    try (Wire one = edge.wire();
        Wire two = edge.wire()) {
      one.post("/hold", new byte[3 << 20]);
      Edge.await(() -> edge.held.size() == 1);
      assertThat(edge.listener.bodyBytes()).isEqualTo(3 << 20);
      assertRefused(two.post("/echo", new byte[3 << 20]).read(), Refusal.BUSY);
      try (Wire chunked = edge.wire()) {
        chunked.head(
            "POST /echo HTTP/1.1", "X-Api-Key: good", NO_KEY, "Transfer-Encoding: chunked");
        chunked.send("200000\r\n").send(new byte[2 << 20]).send("\r\n");
        chunked.send("200000\r\n").send(new byte[2 << 20]).send("\r\n0\r\n\r\n");
        assertRefused(chunked.read(), Refusal.BUSY);
      }
      edge.held.remove().refuse(Refusal.NO_ROOM);
      assertRefused(one.read(), Refusal.NO_ROOM);
    }
  }

  /**
   * Request smuggling: two servers may read such a request differently, so the bytes after it may
   * come from another sender. Each of these closes the connection, and nothing after it is carried
   * out.
   */
  @Test
  void ambiguous_isRefused_andNothingBehindItHappens() throws Exception {
    String[][] heads = {
      {"Host: t", "Transfer-Encoding: gzip, chunked"},
      {"Host: t", "Transfer-Encoding:", " chunked, gzip"},
      {"Host: t", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip"},
      {"Host: t", "Host: t"},
      {"Host: t", "Host: other"},
      {"Host: t other"},
      {"Host: t, other"},
      {"Host: other@t"},
      {"Host: t/other"},
      {"Host: t", ": other"},
      {"X-None: 1"},
    };
    String behind =
        "POST /hold HTTP/1.1\r\nX-Api-Key: good\r\nHost: t\r\nContent-Length: 1\r\n\r\n1".repeat(3);
    for (String[] lines : heads) {
      String head =
          "POST /echo HTTP/1.1\r\nX-Api-Key: good\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
      try (Wire other = edge.wire()) {
        other.send(head + behind);
        assertRefused(other.read(), Refusal.MALFORMED);
        assertThat(other.readAll()).as(head).isEmpty();
      }
    }
    assertThat(edge.held).isEmpty();
  }

  @Test
  void malformed_isAnsweredAndClosed() throws Exception {
    String[] heads = {
      "\r\n\r\nnonsense\r\n\r\n",
      "GET /echo HTTP/1.1\r\nno colon\r\n\r\n",
      "GET /echo HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
      "GET /echo HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "GET /echo HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
      "GET  HTTP/1.1\r\n\r\n",
    };
    for (String head : heads) {
      try (Wire bad = edge.wire()) {
        bad.send(head);
        assertThat(bad.readAll()).as(head).startsWith("HTTP/1.").contains(" 400 ");
      }
    }
    try (Wire bad = edge.wire()) {
      bad.send("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n\r\n");
      assertRefused(bad.read(), Refusal.PATH_TOO_LONG);
    }
    try (Wire bad = edge.wire()) {
      bad.send("GET / HTTP/1.1\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");
      assertRefused(bad.read(), Refusal.HEAD_TOO_LARGE);
      assertThat(bad.isClosedByServer()).isTrue();
    }
    try (Wire bad = edge.wire()) {
      bad.head("POST /echo HTTP/1.1", "X-Api-Key: good", NO_KEY, "Transfer-Encoding: chunked");
      bad.send("3\r\nabc\r\nzz\r\n");
      assertRefused(bad.read(), Refusal.MALFORMED);
      assertThat(bad.isClosedByServer()).isTrue();
    }
  }

  @Test
  void bug_isOurFault() throws Exception {
    assertRefused(wire.get("/bug").read(), Refusal.BROKEN);
    assertThat(wire.get("/query?q=1").read().status()).isEqualTo(200);
    assertThat(log.lines()).hasSize(1);
    log.lines().clear();
  }
}
