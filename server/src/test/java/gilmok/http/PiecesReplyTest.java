package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reply in fragments arrives as one body, from any thread, however slowly it is read. */
@Tag("server")
final class PiecesReplyTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pieces=0",
        "pieces=1",
        "pieces=2",
        "pieces=5",
        "pieces=500",
        "pieces=5&from=other",
        "pieces=500&from=other"
      })
  void pieces_areOneBody(String query) throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (int length : new int[] {0, 700, 100_003, 3_000_000}) {
        byte[] whole = query.equals("pieces=0") ? new byte[0] : Texts.bytes(length);
        Wire.Answer answer =
            wire.get("/text?n=" + length + "&" + query, "Accept-Encoding: gzip").read();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-length")).isEqualTo("" + whole.length);
        assertThat(answer.header("content-type")).isEqualTo("text/plain");
        assertThat(answer.headers()).doesNotContainKeys("content-encoding", "transfer-encoding");
        assertThat(answer.body()).isEqualTo(whole);
      }
      assertThat(edge.packed).hasValue(0);
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&from=other"})
  void pieces_areOneBody_overHttp2(String from) throws Exception {
    OverTls tls = new OverTls(folder);
    try (Edge edge = new Edge(tls::serve);
        HttpClient client = tls.client()) {
      for (int length : new int[] {0, 700, 100_003, 3_000_000}) {
        HttpResponse<byte[]> answer =
            client.send(
                edge.request("/text?pieces=40&n=" + length + from).build(),
                BodyHandlers.ofByteArray());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.headers().firstValue("content-length")).hasValue("" + length);
        assertThat(answer.body()).isEqualTo(Texts.bytes(length));
        HttpResponse<Void> head =
            client.send(
                edge.request("/text?pieces=40&n=" + length + from)
                    .method("HEAD", BodyPublishers.noBody())
                    .build(),
                BodyHandlers.discarding());
        assertThat(head.headers().firstValue("content-length")).hasValue("" + length);
      }
    }
  }

  @Test
  void sharedPieces_areSentToManyAtOnce_andStayAsTheyAre() throws Exception {
    byte[] shared = Texts.bytes(40_000);
    try (Edge edge = new Edge(config -> config.loops(2))) {
      List<Wire> wires = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        wires.add(edge.wire().post("/hold", new byte[1]));
      }
      for (int i = 0; i < 50; i++) {
        byte[] tail = Texts.bytes(i);
        edge.held.take().reply(200, "application/json", List.of(shared, tail));
      }
      int tails = 0;
      for (Wire wire : wires) {
        try (wire) {
          byte[] body = wire.read().body();
          assertThat(body).startsWith(shared);
          tails += body.length - shared.length;
        }
      }
      assertThat(tails).isEqualTo(50 * 49 / 2);
      assertThat(shared).isEqualTo(Texts.bytes(40_000));
    }
  }

  /**
   * Requests 100 MB of answers: the sockets' buffers hold a few, and the others must not be made.
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "&from=other"})
  void pieces_notTaken_areHeldBack_andGivenWhenTheyAre(String from) throws Exception {
    int requests = 1000;
    try (Edge edge = new Edge();
        Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.listener.port()));
      Wire wire = new Wire(socket);
      Thread asks =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < requests; i++) {
                        wire.get("/text?n=100003&pieces=4" + from);
                      }
                    } catch (IOException closed) {
                      // The assertions below fail then.
                    }
                  });
      Edge.await(() -> edge.answered.get() > 0);
      try (Wire other = edge.wire()) {
        for (int i = 0; i < 200; i++) {
          assertThat(other.get("/query?q=" + i).read().text()).isEqualTo("" + i);
        }
      }
      assertThat(edge.answered.get() - 200).isLessThan(400);
      Edge.await(edge::isEmpty);

      byte[] whole = Texts.bytes(100_003);
      for (int i = 0; i < requests; i++) {
        assertThat(wire.read().body()).isEqualTo(whole);
      }
      asks.join();
      Edge.await(edge::isEmpty);
    }
  }

  /** 200 MB of answers that are read, and as many that nobody reads to their end. */
  @Test
  void pieces_readOrNot_leaveNoMemoryBehind() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      read(wire, 100);
      long before = usedBytes();
      read(wire, 2_000);
      for (int i = 0; i < 200; i++) {
        try (Wire gone = edge.wire()) {
          gone.get("/text?n=1000003&pieces=4");
        }
      }
      Edge.await(edge::isEmpty);
      Edge.await(() -> usedBytes() - before < 64L << 20);
    }
  }

  private static void read(Wire wire, int answers) throws IOException {
    for (int i = 0; i < answers; i++) {
      assertThat(wire.get("/text?n=100003&pieces=4").read().body()).hasSize(100_003);
    }
  }

  private static long usedBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }
}
