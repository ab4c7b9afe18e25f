package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What differs when many requests share a connection. */
@Tag("server")
final class Http2Test {
  @TempDir Path folder;
  private final LogLines log = new LogLines();
  private OverTls tls;
  private Edge edge;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    tls = new OverTls(folder);
    edge =
        new Edge(
            config -> tls.serve(config).body(Duration.ofSeconds(2)).idle(Duration.ofSeconds(10)));
    client = tls.client();
    assertThat(get("/query?q=1").version()).isEqualTo(HttpClient.Version.HTTP_2);
  }

  @AfterEach
  void stop() throws Exception {
    Edge.await(edge::isEmpty);
    client.close();
    Edge.await(() -> edge.listener.connections() == 0);
    edge.close();
    assertThat(log.lines()).isEmpty();
    log.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(edge.request(path).build(), BodyHandlers.ofString());
  }

  private CompletableFuture<HttpResponse<String>> post(String path, byte[] body) {
    return client.sendAsync(
        edge.request(path).POST(BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofString());
  }

  @Test
  void answers_inAnyOrder() throws Exception {
    CompletableFuture<HttpResponse<String>> slow = post("/hold", new byte[1]);
    Edge.await(() -> edge.held.size() == 1);
    assertThat(get("/query?q=fast").body()).isEqualTo("fast");
    assertThat(slow).isNotDone();
    Edge.text(edge.held.remove(), "slow");
    assertThat(slow.get().body()).isEqualTo("slow");
  }

  @Test
  void body_tooLarge_leavesTheConnectionToOthers() throws Exception {
    CompletableFuture<HttpResponse<String>> other = post("/hold", new byte[1]);
    Edge.await(() -> edge.held.size() == 1);
    HttpResponse<String> refused = post("/echo", new byte[6 << 20]).get();
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(refused.body()).contains("too-large");
    Edge.text(edge.held.remove(), "other");
    assertThat(other.get().body()).isEqualTo("other");
    assertThat(edge.listener.connections()).isEqualTo(1);
  }

  @Test
  void body_neverComplete_isReset() throws Exception {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              Thread.sleep(50);
              return 'x';
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            bytes[offset] = (byte) read();
            return 1;
          }
        };
    CompletableFuture<HttpResponse<String>> slow =
        client.sendAsync(
            edge.request("/echo").POST(BodyPublishers.ofInputStream(() -> endless)).build(),
            BodyHandlers.ofString());
    Edge.await(() -> edge.listener.bodyBytes() > 0);
    Edge.await(edge::isEmpty);
    Edge.await(slow::isCompletedExceptionally);
    assertThat(get("/query?q=still").body()).isEqualTo("still");
  }

  @Test
  void stream_reset_givesRoomBack() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(post("/hold", new byte[100]));
    }
    Edge.await(() -> edge.held.size() == 50);
    all.forEach(one -> one.cancel(true));
    assertThat(get("/query?q=still").body()).isEqualTo("still");
    // They count until their handlers have finished.
    assertThat(edge.listener.requestsUnderWay()).isEqualTo(50);
    edge.held.forEach(exchange -> exchange.refuse(Refusal.BUSY));
    Edge.await(edge::isEmpty);
  }

  @Test
  void connection_gone_givesRoomBack() throws Exception {
    for (int i = 0; i < 20; i++) {
      var _ = post("/hold", new byte[100]);
    }
    Edge.await(() -> edge.held.size() == 20);
    client.shutdownNow();
    Edge.await(() -> edge.listener.connections() == 0);
    edge.held.forEach(exchange -> exchange.reply(200));
    Edge.await(edge::isEmpty);
  }

  @Test
  void connection_withoutRequests_isClosed() throws Exception {
    Edge.await(() -> edge.listener.connections() == 0);
  }

  @Test
  void pings_withoutEndAndUnread_areCutOff() throws Exception {
    byte[] pings = new byte[17_000];
    for (int at = 0; at < pings.length; at += 17) {
      pings[at + 2] = 8;
      pings[at + 3] = 6;
    }
    try (Wire wire = tls.wire(edge)) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
      assertThatThrownBy(
              () -> {
                while (true) {
                  wire.send(pings);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  /** HEADERS of GET /large on a stream, by HPACK (RFC 7541) without its tables. */
  private static byte[] getLarge(int stream) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x82); // :method GET
    block.write(0x87); // :scheme https
    literal(block, 4, "", "/large"); // :path
    literal(block, 1, "", "localhost"); // :authority
    literal(block, 0, "x-api-key", "good");
    ByteBuffer frame = ByteBuffer.allocate(9 + block.size());
    frame.put((byte) 0).putShort((short) block.size()).put((byte) 1).put((byte) 5).putInt(stream);
    return frame.put(block.toByteArray()).array();
  }

  private static void literal(ByteArrayOutputStream to, int nameIndex, String name, String value) {
    to.write(nameIndex);
    for (String text : nameIndex > 0 ? List.of(value) : List.of(name, value)) {
      to.write(text.length());
      to.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** A client that asks for answers of 1 MiB and opens no window for them. */
  private Wire unreading(Edge of, int answers) throws IOException {
    Wire wire = tls.wire(of);
    wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .send(new byte[] {0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0});
    for (int i = 0; i < answers; i++) {
      wire.send(getLarge(1 + 2 * i));
    }
    return wire;
  }

  /** More would be kept than the server has room for; not even its idle time would end it soon. */
  @Test
  void answersThatNobodyReads_areBounded_andTheirRoomComesBack() throws Exception {
    try (Edge patient = new Edge(config -> tls.serve(config).bodies(8 << 20))) {
      for (int i = 0; i < 6; i++) {
        try (Wire wire = unreading(patient, 4)) {
          assertThat(wire.isClosedByServer()).isTrue();
        }
      }
      Edge.await(() -> patient.listener.connections() == 0);
      HttpResponse<String> read =
          client.send(patient.request("/large").build(), BodyHandlers.ofString());
      assertThat(read.body()).hasSize(1 << 20);
      Edge.await(patient::isEmpty);
    }
  }

  @Test
  void answerThatNobodyReads_isWaitedForNoLongerThanABody() throws Exception {
    try (Edge hurried = new Edge(config -> tls.serve(config).body(Duration.ofSeconds(2)));
        Wire wire = unreading(hurried, 2)) {
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }
}
