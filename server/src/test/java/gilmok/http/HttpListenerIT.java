package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.auth.Denial;
import java.net.BindException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain requests over HTTP/1.1, and over HTTP/2 with TLS. */
@Tag("server")
final class HttpListenerIT {
  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void request_post_isEchoed() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      Wire.Answer answer = wire.post("/echo", bytes("{\"a\":1}")).read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("{\"a\":1}");
      assertThat(answer.header("content-type")).isEqualTo("application/octet-stream");
      assertThat(wire.post("/echo", new byte[0]).read().body()).isEmpty();
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @Test
  void request_bodyInPieces_isPutTogether() throws Exception {
    byte[] body = new byte[3_000_000];
    new Random(1).nextBytes(body);
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      assertThat(wire.post("/echo", body).read().body()).isEqualTo(body);
      wire.head("POST /echo HTTP/1.1", "Host: t", "X-Api-Key: good", "Transfer-Encoding: chunked");
      wire.send("3\r\nabc\r\n");
      wire.send("2;x=y\r\nde\r\n").send("0\r\n\r\n");
      assertThat(wire.read().text()).isEqualTo("abcde");
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @Test
  void request_pipelined_isAnsweredInOrder() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (int i = 0; i < 20; i++) {
        wire.post("/hold", bytes("x")).post("/echo", bytes("echo " + i));
      }
      for (int i = 0; i < 20; i++) {
        Exchange held = edge.held.take();
        int number = i;
        Thread.ofVirtual().start(() -> Edge.text(held, "held " + number));
        assertThat(wire.read().text()).isEqualTo("held " + i);
        assertThat(wire.read().text()).isEqualTo("echo " + i);
      }
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @Test
  void request_head_hasLengthAndNoBody() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send("HEAD /query?q=abc HTTP/1.1\r\nX-Api-Key: good\r\nHost: t\r\n\r\n");
      Wire.Answer answer = wire.readHead();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("content-length")).isEqualTo("3");
      assertThat(wire.get("/query?q=next").read().text()).isEqualTo("next");
    }
  }

  @Test
  void request_http10_isAnsweredAndClosed() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send("GET /health/live HTTP/1.0\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(200);
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void request_connectionClose_isClosed() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      Wire.Answer answer = wire.post("/echo", bytes("x"), "Connection: close").read();
      assertThat(answer.header("connection")).isEqualTo("close");
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void request_expectContinue_isToldToSend() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.head(
          "POST /echo HTTP/1.1",
          "Host: t",
          "X-Api-Key: good",
          "Content-Length: 3",
          "Expect: 100-continue");
      assertThat(wire.read().status()).isEqualTo(100);
      assertThat(wire.send("abc").read().text()).isEqualTo("abc");
    }
  }

  @Test
  void path_parameters_areDecoded() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      assertThat(wire.get("/riders/anna%2F1/position").read().text()).isEqualTo("anna/1");
      assertThat(wire.get("/riders/%ED%95%9C+x/position?a=b").read().text()).isEqualTo("한+x");
      assertThat(wire.get("/riders/all/position").read().text()).isEqualTo("everybody");
      assertThat(wire.get("/query?a&q=%ED%95%9C+x%&q=2").read().text()).isEqualTo("한 x%");
      assertThat(wire.get("/query?qq=1").read().text()).isEqualTo("null");
      assertThat(wire.get("http://t/query?q=absolute").read().text()).isEqualTo("absolute");
    }
  }

  @Test
  void key_inAnyPlace_isFound() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send("GET /query?q=1 HTTP/1.1\r\nX-Api-Key: good\r\nHost: t\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(200);
      wire.send("GET /query?q=1 HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer good\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(200);
      wire.send("GET /query HTTP/1.1\r\nHost: t\r\nX-Api-Key: bad\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(401);
    }
  }

  @Test
  void health_tellsWhatIsMissing() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      edge.readiness.notReady("log", "recovering \"x\"");
      Wire.Answer missing = wire.send("GET /health/ready HTTP/1.1\r\nHost: t\r\n\r\n").read();
      assertThat(missing.status()).isEqualTo(503);
      assertThat(missing.text())
          .isEqualTo(
              "{\"ready\":false,\"missing\":[{\"name\":\"log\",\"reason\":\"recovering \\\"x\\\"\","
                  + "\"optional\":false}]}");
      edge.readiness.ready("log");
      Wire.Answer ready = wire.send("GET /health/ready HTTP/1.1\r\nHost: t\r\n\r\n").read();
      assertThat(ready.status()).isEqualTo(200);
      assertThat(ready.text()).isEqualTo("{\"ready\":true,\"missing\":[]}");
      edge.readiness.warmedUp("limit");
      assertThat(wire.send("GET /health/ready HTTP/1.1\r\nHost: t\r\n\r\n").read().text())
          .isEqualTo("{\"ready\":true,\"missing\":[],\"warmUp\":\"limit\"}");
      assertThat(wire.send("GET /version HTTP/1.1\r\nHost: t\r\n\r\n").read().text())
          .isEqualTo("{\"name\":\"gilmok\",\"version\":\"1.2.3\"}");
      assertThat(wire.send("GET /metrics HTTP/1.1\r\nHost: t\r\n\r\n").read().status())
          .isEqualTo(401);
      assertThat(wire.get("/metrics").read().text()).isEqualTo("up 1\n");
    }
  }

  @Test
  void http2_overTls_isAnswered() throws Exception {
    OverTls tls = new OverTls(folder);
    try (Edge edge = new Edge(tls::serve);
        HttpClient client = tls.client()) {
      List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
      byte[] body = new byte[300_000]; // more than a stream's window
      new Random(2).nextBytes(body);
      HttpResponse<byte[]> first =
          client.send(
              edge.request("/echo").POST(BodyPublishers.ofByteArray(body)).build(),
              BodyHandlers.ofByteArray());
      assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(first.body()).isEqualTo(body);
      for (int i = 0; i < 50; i++) {
        all.add(
            client.sendAsync(
                edge.request("/echo").POST(BodyPublishers.ofByteArray(body)).build(),
                BodyHandlers.ofByteArray()));
      }
      for (CompletableFuture<HttpResponse<byte[]>> one : all) {
        assertThat(one.get().body()).isEqualTo(body);
      }
      HttpResponse<byte[]> unknown =
          client.send(edge.request("/none").GET().build(), BodyHandlers.ofByteArray());
      assertThat(unknown.statusCode()).isEqualTo(404);
      assertThat(unknown.version()).isEqualTo(HttpClient.Version.HTTP_2);
      HttpResponse<byte[]> head =
          client.send(edge.request("/query?q=abc").HEAD().build(), BodyHandlers.ofByteArray());
      assertThat(head.headers().firstValue("content-length")).hasValue("3");
      Edge.await(edge::isEmpty);
    }
  }

  /**
   * Found bug: behind a proxy that passes the upgrade on, whatever the client sent after it came as
   * from the proxy, with an address of the client's own making.
   */
  @Test
  void http2_upgradeInClearText_staysHttp1() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (int i = 0; i < 2; i++) {
        wire.head(
            "GET /query?q=" + i + " HTTP/1.1",
            "Host: t",
            "X-Api-Key: " + Edge.KEY,
            "Connection: Upgrade, HTTP2-Settings",
            "Upgrade: h2c",
            "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA");
        Wire.Answer answer = wire.read();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("" + i);
      }
      try (HttpClient client = Edge.client(HttpClient.Version.HTTP_2)) {
        HttpResponse<String> answer =
            client.send(edge.request("/query?q=jdk").build(), BodyHandlers.ofString());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(answer.body()).isEqualTo("jdk");
      }
    }
  }

  @Test
  void http2_byPriorKnowledgeInClearText_isRefused() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
      Edge.await(() -> edge.count(Refusal.MALFORMED) == 1);
      assertThat(wire.isClosedByServer()).isTrue();
      assertThat(edge.answered).hasValue(0);
    }
  }

  @Test
  void loops_several_shareThePort() throws Exception {
    try (Edge edge =
        new Edge(
            config -> {
              config.loops = 2;
              config.transport = HttpConfig.Transport.NIO;
              return config;
            })) {
      for (int i = 0; i < 4; i++) {
        try (Wire wire = edge.wire()) {
          assertThat(wire.post("/echo", bytes("x")).read().text()).isEqualTo("x");
        }
      }
      assertThat(edge.loopThreads).hasSize(2);
      Edge.await(() -> edge.listener.connections() == 0);
      try (Wire wire = edge.wire()) { // a loop without connections has no lag
        assertThat(wire.post("/echo", bytes("x")).read().text()).isEqualTo("x");
        Edge.await(() -> edge.lags.get() > 2);
      }
    }
  }

  @Test
  void start_onTheLoopsOfAnother_endsWithoutThem() throws Exception {
    try (Edge edge = new Edge();
        HttpListener second =
            new HttpListener(
                "http", new EdgeConfig().config(), edge.listener.routes(), Edge::check, edge)) {
      second.start(edge.listener);
      try (Wire wire = new Wire(second.port())) {
        assertThat(wire.post("/echo", bytes("x")).read().text()).isEqualTo("x");
        second.drain(Duration.ofSeconds(1));
        assertThat(wire.isClosedByServer()).isTrue();
      }
      for (int i = 0; i < 4; i++) {
        try (Wire wire = edge.wire()) {
          assertThat(wire.post("/echo", bytes("y")).read().text()).isEqualTo("y");
        }
      }
      assertThat(edge.loopThreads).as("both answered on the same").hasSize(1);
    }
  }

  /**
   * Found bug: an interrupted start went on, and was closed a second time with the event loops that
   * it shared.
   */
  @Test
  void start_onTheLoopsOfAnother_interrupted_leavesNothing() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    try (Edge edge = new Edge()) {
      HttpConfig config = new EdgeConfig().config().forOperators("127.0.0.1", port);
      int interrupted = 0;
      for (int i = 0; i < 20; i++) {
        try (HttpListener second =
            new HttpListener("http", config, edge.listener.routes(), Edge::check, edge)) {
          Thread.currentThread().interrupt();
          second.start(edge.listener);
          assertThat(Thread.interrupted()).as("it had begun before it was looked").isTrue();
        } catch (InterruptedException hurried) {
          interrupted++;
        }
        assertThatThrownBy(() -> new Wire(port)).isInstanceOf(ConnectException.class);
      }
      assertThat(interrupted).isPositive();
      try (Wire wire = edge.wire()) {
        assertThat(wire.post("/echo", bytes("y")).read().text()).isEqualTo("y");
      }
    }
  }

  @Test
  void start_portTaken_saysSo() throws Exception {
    try (Edge edge = new Edge();
        HttpListener second =
            new HttpListener(
                new EdgeConfig().config().forOperators("127.0.0.1", edge.listener.port()),
                List.of(),
                (key, authorization, parameter, session) -> Denial.MISSING)) {
      assertThatThrownBy(second::start)
          .isInstanceOf(BindException.class)
          .hasMessage("port " + edge.listener.port() + " is in use");
    }
  }
}
