package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that close their sending side after the last request. */
@Tag("server")
final class HalfCloseTest {
  private static final String GET = "GET /query?q=1 HTTP/1.1\r\nX-Api-Key: good\r\nHost: t\r\n\r\n";

  @Test
  void request_thenHalfClosed_isAnswered_andTheConnectionClosed() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send(GET).socket().shutdownOutput();
      assertThat(wire.read().status()).isEqualTo(200);
      assertThat(wire.isClosedByServer()).isTrue();
      Edge.await(() -> edge.listener.connections() == 0);
    }
  }

  @Test
  void requestsInAPipeline_thenHalfClosed_areAllAnswered() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send(GET.repeat(50)).socket().shutdownOutput();
      for (int i = 0; i < 50; i++) {
        assertThat(wire.read().status()).isEqualTo(200);
      }
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void largeAnswer_isSentToItsEnd() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send("GET /large HTTP/1.1\r\nX-Api-Key: good\r\nHost: t\r\n\r\n")
          .socket()
          .shutdownOutput();
      assertThat(wire.read().body()).hasSize(1 << 20);
    }
  }

  @Test
  void nothingAsked_orHalfARequest_isClosed() throws Exception {
    try (Edge edge = new Edge();
        Wire silent = edge.wire();
        Wire half = edge.wire();
        Wire body = edge.wire()) {
      silent.socket().shutdownOutput();
      half.send("GET /que").socket().shutdownOutput();
      body.head("POST /echo HTTP/1.1", "X-Api-Key: good", "Host: t", "Content-Length: 9");
      body.send("four").socket().shutdownOutput();
      assertThat(silent.isClosedByServer()).isTrue();
      assertThat(half.isClosedByServer()).isTrue();
      assertThat(body.isClosedByServer()).isTrue();
      Edge.await(() -> edge.listener.connections() == 0);
      Edge.await(edge::isEmpty);
    }
  }

  @Test
  void streamWithoutAnEnd_isEnded() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.send("GET /stream HTTP/1.1\r\nX-Api-Key: good\r\nHost: t\r\n\r\n");
      ReplyStream stream = edge.streams.take();
      wire.socket().shutdownOutput();
      Edge.await(stream::isEnded);
      Edge.await(() -> edge.listener.connections() == 0);
    }
  }
}
