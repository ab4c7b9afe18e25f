package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slow clients, and too many clients. */
@Tag("server")
final class SlowClientTest {
  private static final Duration SHORT = Duration.ofMillis(400);

  @Test
  void head_neverComplete_isCutOff() throws Exception {
    try (Edge edge = new Edge(config -> config.head(SHORT));
        Wire dripping = edge.wire();
        Wire second = edge.wire();
        Wire patient = edge.wire()) {
      // Its first request is complete; the head of its second never ends.
      assertThat(second.get("/query?q=1").read().status()).isEqualTo(200);
      Thread drops =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (true) {
                        dripping.send("G");
                        second.send("G");
                        Thread.sleep(20);
                      }
                    } catch (Exception e) {
                      // The server has closed the connection.
                    }
                  });
      Edge.await(() -> edge.listener.connections() == 1);
      assertThat(second.isClosedByServer()).isTrue();
      assertThat(patient.get("/query?q=1").read().status()).isEqualTo(200);
      drops.interrupt();
    }
  }

  @Test
  void body_neverComplete_isCutOff() throws Exception {
    try (Edge edge = new Edge(config -> config.body(SHORT));
        Wire wire = edge.wire()) {
      wire.head("POST /echo HTTP/1.1", "X-Api-Key: good", "Host: t", "Content-Length: 1000");
      Thread drops =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (true) {
                        wire.send("x");
                        Thread.sleep(20);
                      }
                    } catch (Exception e) {
                      // The server has closed the connection.
                    }
                  });
      Edge.await(() -> edge.listener.connections() == 0);
      Edge.await(edge::isEmpty);
      assertThat(wire.isClosedByServer()).isTrue();
      drops.interrupt();
    }
  }

  @Test
  void answer_notTaken_isCutOff() throws Exception {
    try (Edge edge = new Edge(config -> config.body(SHORT));
        Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.listener.port()));
      Wire wire = new Wire(socket);
      byte[] body = new byte[4 << 20];
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  while (true) {
                    wire.post("/echo", body);
                  }
                } catch (Exception e) {
                  // The server has closed the connection.
                }
              });
      Edge.await(() -> edge.answered.get() > 0);
      Edge.await(() -> edge.listener.connections() == 0);
      Edge.await(edge::isEmpty);
    }
  }

  @Test
  void connection_withoutRequests_isCutOff() throws Exception {
    try (Edge edge = new Edge(config -> config.idle(SHORT));
        Wire silent = edge.wire();
        Wire used = edge.wire();
        Wire waiting = edge.wire()) {
      assertThat(used.get("/query?q=1").read().status()).isEqualTo(200);
      waiting.post("/hold", new byte[1]);
      Edge.await(() -> edge.listener.connections() == 1);
      assertThat(silent.isClosedByServer()).isTrue();
      assertThat(used.isClosedByServer()).isTrue();
      // A connection that waits for an answer is not idle.
      edge.held.remove().reply(200);
      assertThat(waiting.read().status()).isEqualTo(200);
    }
  }

  @Test
  void connections_tooMany_areClosed() throws Exception {
    try (Edge edge = new Edge(config -> config.connections(3))) {
      try (Wire one = edge.wire();
          Wire two = edge.wire();
          Wire three = edge.wire()) {
        for (Wire wire : new Wire[] {one, two, three}) {
          assertThat(wire.get("/query?q=1").read().status()).isEqualTo(200);
        }
        for (int i = 0; i < 20; i++) {
          try (Wire four = edge.wire()) {
            assertThat(four.isClosedByServer()).isTrue();
          }
        }
        assertThat(one.get("/query?q=1").read().status()).isEqualTo(200);
        assertThat(edge.listener.connections()).isEqualTo(3);
      }
      Edge.await(() -> edge.listener.connections() == 0);
      try (Wire next = edge.wire()) {
        assertThat(next.get("/query?q=1").read().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void client_gone_itsRoomIsGivenBack() throws Exception {
    byte[] part = "abc".getBytes(StandardCharsets.UTF_8);
    try (Edge edge = new Edge()) {
      for (int i = 0; i < 300; i++) {
        try (Wire wire = edge.wire()) {
          switch (i % 6) {
            case 0 ->
                wire.head(
                    "POST /echo HTTP/1.1", "X-Api-Key: good", "Host: t", "Content-Length: 9999");
            case 1 -> {
              wire.head(
                  "POST /echo HTTP/1.1",
                  "X-Api-Key: good",
                  "Host: t",
                  "Transfer-Encoding: chunked");
              wire.send("3\r\n").send(part);
            }
            case 2 -> wire.post("/hold", part);
            case 3 -> wire.post("/hold", part).post("/echo", part).post("/none", part);
            case 4 -> wire.head("POST /none HTTP/1.1", "Host: t", "Content-Length: 9999999");
            default -> {
              wire.post("/echo", part);
              wire.socket().setSoLinger(true, 0);
            }
          }
        }
      }
      Edge.await(() -> edge.listener.connections() == 0);
      // A connection may have been closed before it was accepted: more may still come.
      Edge.await(
          () -> {
            for (Exchange held = edge.held.poll(); held != null; held = edge.held.poll()) {
              held.reply(200);
            }
            return edge.isEmpty();
          });
    }
  }
}
