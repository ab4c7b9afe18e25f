package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are compressed while they are sent. */
@Tag("server")
final class CompressionLevelsTest {
  private static final String GZIP = "Accept-Encoding: gzip";

  @TempDir Path folder;
  private static final String ALL = "Accept-Encoding: gzip, deflate, br, zstd";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n=1024",
        "n=16384",
        "n=16385",
        "n=400000",
        "n=1024&from=other",
        "n=400000&from=other",
        "n=5000&type=application/json",
        "n=5000&type=application/problem%2Bjson;%20charset=utf-8",
        "n=5000&type=image/svg%2Bxml",
        "n=5000&type=application/yaml",
        "n=5000&type=Text/HTML",
      })
  void texts_arePackedAsAsked(String query) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      byte[] plain = wire.get("/text?" + query).read().body();
      for (String[] wanted : new String[][] {{GZIP, "gzip"}, {ALL, "zstd"}}) {
        Wire.Answer answer = wire.get("/text?" + query, wanted[0]).read();

        assertThat(answer.header("content-encoding")).isEqualTo(wanted[1]);
        assertThat(answer.header("vary")).isEqualTo("Accept-Encoding");
        assertThat(answer.body().length).isLessThan(plain.length / 2);
        assertThat(Texts.unpacked(wanted[1], answer.body())).isEqualTo(plain);
      }
      assertThat(edge.packed).hasValue(2);
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/text?n=1023",
        "/text?n=0",
        "/text?n=5000&type=application/octet-stream",
        "/text?n=5000&type=image/png",
        "/query?q=short",
      })
  void whatWouldNotPay_isSentAsItIs(String path) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      Wire.Answer answer = wire.get(path, ALL).read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers()).doesNotContainKeys("content-encoding", "vary");
      assertThat(wire.get("/nothing", ALL).read().headers()).doesNotContainKey("vary");
      assertThat(wire.get("/bug", ALL).read().headers()).doesNotContainKey("vary");
      assertThat(edge.packed).hasValue(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&from=other"})
  void whatGetsNoSmaller_isSentAsItIs_andSaysThatItDependsOnTheClient(String from)
      throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (int length : new int[] {2000, 100_000}) {
        Wire.Answer answer = wire.get("/text?noise&n=" + length + from, ALL).read();
        assertThat(answer.headers()).doesNotContainKey("content-encoding");
        assertThat(answer.header("vary")).isEqualTo("Accept-Encoding");
        assertThat(answer.body()).isEqualTo(Texts.noise(length));
      }
      Wire.Answer unasked = wire.get("/text?n=2000" + from).read();
      assertThat(unasked.headers()).doesNotContainKey("content-encoding");
      assertThat(unasked.header("vary")).isEqualTo("Accept-Encoding");
    }
  }

  @Test
  void off_leavesItToAProxy() throws Exception {
    try (Edge edge = new Edge(config -> config.compression(CompressionLevels.OFF));
        Wire wire = edge.wire()) {
      Wire.Answer answer = wire.get("/text?n=5000", ALL).read();
      assertThat(answer.headers()).doesNotContainKeys("content-encoding", "vary");
      assertThat(answer.body()).isEqualTo(Texts.bytes(5000));
      assertThat(wire.get("/coding", ALL).read().text()).isEqualTo("identity");
      assertThat(wire.get("/fixed", ALL).read().body()).isEqualTo(Texts.bytes(5000));
    }
  }

  @Test
  void levels_areOfRoutes() throws Exception {
    try (Edge none = edge(1, Map.of("GET /text", 0, "GET /coding", 0));
        Edge one = edge(0, Map.of("GET /text", 1));
        Edge nine = edge(0, Map.of("GET /text", 9))) {
      assertThat(length(none)).isEqualTo(20_000);
      assertThat(length(nine)).isLessThan(length(one));
      assertThat(length(one)).isLessThan(20_000);
      try (Wire wire = none.wire()) {
        assertThat(wire.get("/coding", ALL).read().text()).isEqualTo("identity");
        assertThat(wire.get("/fixed", ALL).read().header("content-encoding")).isEqualTo("zstd");
      }
    }
  }

  private static Edge edge(int usual, Map<String, Integer> levels) throws Exception {
    return new Edge(config -> config.compression(new CompressionLevels(true, usual, levels)));
  }

  private static int length(Edge edge) throws Exception {
    try (Wire wire = edge.wire()) {
      return wire.get("/text?n=20000", GZIP).read().body().length;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"n=5000", "n=90000", "n=5000&from=other", "n=5000&pieces=3", "n=10"})
  void head_saysWhatGetSays(String query) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      Wire.Answer got = wire.get("/text?" + query, ALL).read();
      wire.head("HEAD /text?" + query + " HTTP/1.1", "Host: t", "X-Api-Key: good", ALL);
      Wire.Answer head = wire.readHead();
      assertThat(head.headers()).isEqualTo(got.headers());
      assertThat(head.header("content-length")).isEqualTo("" + got.body().length);
      assertThat(wire.get("/query?q=next").read().text()).isEqualTo("next");
    }
  }

  @Test
  void pipelined_areAnsweredInTheirOrder() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (int i = 0; i < 20; i++) {
        wire.get("/text?n=200000", GZIP).get("/query?q=" + i).get("/text?n=2000", GZIP);
      }
      for (int i = 0; i < 20; i++) {
        assertThat(Texts.unpacked("gzip", wire.read().body())).hasSize(200_000);
        assertThat(wire.read().text()).isEqualTo("" + i);
        assertThat(Texts.unpacked("gzip", wire.read().body())).hasSize(2000);
      }
    }
  }

  @Test
  void http2_isPackedTheSame() throws Exception {
    OverTls tls = new OverTls(folder);
    try (Edge edge = new Edge(tls::serve);
        HttpClient client = tls.client()) {
      for (String query : List.of("n=5000", "n=90000", "n=90000&from=other")) {
        for (String method : List.of("GET", "HEAD")) {
          HttpResponse<byte[]> answer =
              client.send(
                  edge.request("/text?" + query)
                      .header("Accept-Encoding", "zstd")
                      .method(method, BodyPublishers.noBody())
                      .build(),
                  BodyHandlers.ofByteArray());
          assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
          assertThat(answer.headers().firstValue("content-encoding")).hasValue("zstd");
          assertThat(answer.headers().firstValue("vary")).hasValue("Accept-Encoding");
          if (method.equals("GET")) {
            int length = Integer.parseInt(query.replaceAll("\\D", ""));
            assertThat(Texts.unpacked("zstd", answer.body())).isEqualTo(Texts.bytes(length));
          }
        }
      }
    }
  }

  @Test
  void etag_ofPackedBytes_isWeak() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      String path = "/text?tag=%223%22&n=";
      assertThat(wire.get(path + 5000, GZIP).read().header("etag")).isEqualTo("W/\"3\"");
      assertThat(wire.get(path + 90_000, GZIP).read().header("etag")).isEqualTo("W/\"3\"");
      assertThat(wire.get(path + 5000).read().header("etag")).isEqualTo("\"3\"");
      assertThat(wire.get(path + 50, GZIP).read().header("etag")).isEqualTo("\"3\"");
      assertThat(wire.get("/text?tag=W/%223%22&n=5000", GZIP).read().header("etag"))
          .isEqualTo("W/\"3\"");
    }
  }

  @Test
  void whatTheHandlerHasPacked_isSentAsItIs() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (String from : List.of("", "&from=other")) {
        for (int length : new int[] {2000, 90_000}) {
          String path = "/text?coding=gzip&tag=%223%22&n=" + length + from;
          Wire.Answer answer = wire.get(path, ALL).read();
          assertThat(answer.header("content-encoding")).isEqualTo("gzip");
          assertThat(answer.header("etag")).isEqualTo("\"3\"");
          assertThat(answer.body()).isEqualTo(Texts.bytes(length));
        }
      }
      assertThat(edge.packed).hasValue(0);
    }
  }

  @Test
  void whatTheHandlerSaysLate_thatItHasPacked_isSentAsItIs() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.post("/hold", new byte[1], GZIP);
      Exchange exchange = edge.held.take();
      exchange.execute(() -> exchange.replyHeader("Content-Encoding", "br"));
      exchange.reply(200, "text/plain", Texts.bytes(50_000));
      Wire.Answer answer = wire.read();
      assertThat(answer.header("content-encoding")).isEqualTo("br");
      assertThat(answer.body()).isEqualTo(Texts.bytes(50_000));
    }
  }

  @Test
  void vary_namesEverythingTheReplyDependsOn() throws Exception {
    try (Edge edge = new Edge(config -> config.origins(List.of("https://a")));
        Wire wire = edge.wire()) {
      Wire.Answer answer = wire.get("/text?vary=Accept&n=5000", GZIP, "Origin: https://a").read();
      assertThat(answer.header("vary")).isEqualTo("Accept, Accept-Encoding, origin");
      answer = wire.get("/text?vary=accept-encoding&n=5000", GZIP).read();
      assertThat(answer.header("vary")).isEqualTo("accept-encoding");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"n=5", "n=5000", "n=90000", "n=5000&pieces=2"})
  void aSecondReply_isDropped(String query) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      byte[] plain = wire.get("/text?" + query).read().body();
      Wire.Answer answer = wire.get("/text?twice&" + query, GZIP).read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(Texts.unpacked(answer.headers().get("content-encoding"), answer.body()))
          .isEqualTo(plain);
      assertThat(answer.headers()).doesNotContainKey("retry-after");
      assertThat(wire.get("/query?q=next").read().text()).isEqualTo("next");
      Edge.await(edge::isEmpty);
    }
  }

  @Test
  void clientGone_whilePacking_givesRoomBack() throws Exception {
    try (Edge edge = new Edge()) {
      for (int i = 0; i < 100; i++) {
        try (Wire wire = edge.wire()) {
          wire.get("/text?n=300000" + (i % 2 == 0 ? "" : "&from=other"), GZIP);
        }
      }
      Edge.await(() -> edge.listener.connections() == 0);
      Edge.await(edge::isEmpty);
    }
  }

  @Test
  void fixedBody_isPackedOnce_andItsTagIsAnotherForEachCoding() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      Wire.Answer plain = wire.get("/fixed").read();
      Wire.Answer gzip = wire.get("/fixed", GZIP).read();
      Wire.Answer zstd = wire.get("/fixed", ALL).read();
      assertThat(plain.body()).isEqualTo(Texts.bytes(5000));
      assertThat(Texts.unpacked("gzip", gzip.body())).isEqualTo(Texts.bytes(5000));
      assertThat(Texts.unpacked("zstd", zstd.body())).isEqualTo(Texts.bytes(5000));
      assertThat(List.of(plain.header("etag"), gzip.header("etag"), zstd.header("etag")))
          .doesNotHaveDuplicates()
          .allSatisfy(tag -> assertThat(tag).matches("\"[0-9a-z-]+\""));
      for (Wire.Answer answer : List.of(plain, gzip, zstd)) {
        assertThat(answer.header("vary")).isEqualTo("Accept-Encoding");
      }
      String tag = gzip.header("etag");
      Wire.Answer again = wire.get("/fixed", GZIP, "If-None-Match: \"x\", " + tag).read();
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.header("etag")).isEqualTo(tag);
      assertThat(again.header("vary")).isEqualTo("Accept-Encoding");
      assertThat(wire.get("/fixed", GZIP, "If-None-Match: W/" + tag).read().status())
          .isEqualTo(304);
      assertThat(wire.get("/fixed", ALL, "If-None-Match: " + tag).read().status()).isEqualTo(200);
      assertThat(edge.packed).hasValue(0);
    }
  }
}
