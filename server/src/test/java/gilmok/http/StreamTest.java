package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streamed replies, which go on until one side ends them. */
@Tag("server")
final class StreamTest {
  @Test
  void chunks_comeAsTheyAreWritten_fromAnyThread() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      Wire.Answer head = wire.get("/stream").readHead();
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("content-type")).isEqualTo("text/event-stream");
      assertThat(head.header("transfer-encoding")).isEqualTo("chunked");
      ReplyStream stream = begun(edge);
      assertThat(edge.isEmpty()).as("a stream takes no request's room").isTrue();
      stream.write(bytes("one\n"));
      stream.write(bytes("two\n"));
      stream.end();
      String sent = "4\r\none\n\r\n4\r\ntwo\n\r\n0\r\n\r\n";
      assertThat(wire.next(sent)).isEqualTo(sent);
      assertThat(stream.isEnded()).isTrue();
    }
  }

  @Test
  void connection_afterTheEnd_livesOn() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.get("/stream").readHead();
      begun(edge).end();
      assertThat(wire.next("0\r\n\r\n")).isEqualTo("0\r\n\r\n");
      assertThat(wire.get("/query?q=1").read().text()).isEqualTo("1");
    }
  }

  @Test
  void client_gone_endsTheStream() throws Exception {
    try (Edge edge = new Edge()) {
      ReplyStream stream;
      try (Wire wire = edge.wire()) {
        wire.get("/stream").readHead();
        stream = begun(edge);
      }
      Edge.await(stream::isEnded);
      assertThat(stream.isWritable()).isFalse();
      stream.write(bytes("to nobody"));
      stream.end();
      Edge.await(() -> edge.listener.connections() == 0);
    }
  }

  @Test
  void client_thatTakesNothing_makesItUnwritable_andIsCutOff() throws Exception {
    try (Edge edge = new Edge(config -> config.body(Duration.ofMillis(400)));
        Wire wire = edge.wire()) {
      wire.get("/stream").readHead();
      ReplyStream stream = begun(edge);
      byte[] chunk = new byte[16 << 10];
      AtomicLong written = new AtomicLong();
      Edge.await(
          () -> {
            while (stream.isWritable()) {
              stream.write(chunk);
              written.addAndGet(chunk.length);
            }
            return stream.isEnded();
          });
      assertThat(written).as("what sockets and 64 KiB hold").hasValueLessThan(64 << 20);
    }
  }

  @Test
  void brokenOff_hasNoEnd() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.get("/stream").readHead();
      ReplyStream stream = begun(edge);
      stream.write(bytes("one\n"));
      assertThat(wire.next("4\r\none\n\r\n")).isEqualTo("4\r\none\n\r\n");
      stream.breakOff();
      assertThat(wire.readAll()).isEmpty();
      assertThat(stream.isEnded()).isTrue();
      Edge.await(() -> edge.listener.connections() == 0);
    }
  }

  @Test
  void drain_endsStreams() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.get("/stream").readHead();
      ReplyStream stream = begun(edge);
      edge.listener.drain(Duration.ofSeconds(20));
      assertThat(stream.isEnded()).isTrue();
      assertThat(wire.readAll()).isEqualTo("0\r\n\r\n");
    }
  }

  @Test
  void head_ofAStream_hasNoBody() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.head("HEAD /stream HTTP/1.1", "X-Api-Key: good", "Host: t");
      assertThat(wire.readHead().status()).isEqualTo(200);
      assertThat(begun(edge).isEnded()).isTrue();
      assertThat(wire.get("/query?q=1").read().text()).isEqualTo("1");
    }
  }

  private static ReplyStream begun(Edge edge) throws InterruptedException {
    return Objects.requireNonNull(edge.streams.poll(20, TimeUnit.SECONDS));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
