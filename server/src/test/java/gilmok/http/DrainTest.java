package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Draining: requests under way are finished, new ones are refused. */
@Tag("server")
final class DrainTest {
  @Test
  void drain_finishesWhatIsUnderWay() throws Exception {
    try (Edge edge = new Edge();
        Wire idle = edge.wire();
        Wire busy = edge.wire();
        Wire reading = edge.wire()) {
      assertThat(idle.get("/query?q=1").read().status()).isEqualTo(200);
      busy.post("/hold", new byte[1]);
      Edge.await(() -> edge.held.size() == 1);
      reading.head("POST /echo HTTP/1.1", "X-Api-Key: good", "Host: t", "Content-Length: 2");
      reading.send("o");
      Edge.await(() -> edge.listener.bodyBytes() == 2);
      Thread drain =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      edge.listener.drain(Duration.ofSeconds(20));
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      assertThat(idle.isClosedByServer()).isTrue();
      try (Wire late = edge.wire()) {
        Wire.Answer refused = late.get("/query?q=1").read();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text()).contains("stopping");
        assertThat(refused.header("connection")).isEqualTo("close");
        assertThat(refused.header("retry-after")).isNotEmpty();
        assertThat(late.isClosedByServer()).isTrue();
      }
      try (Wire health = edge.wire()) {
        assertThat(health.get("/health/live").read().status()).isEqualTo(200);
      }
      Wire.Answer read = reading.send("k").read();
      assertThat(read.text()).isEqualTo("ok");
      assertThat(read.header("connection")).isEqualTo("close");
      edge.held.remove().reply(200);
      assertThat(busy.read().status()).isEqualTo(200);
      assertThat(drain.join(Duration.ofSeconds(20))).isTrue();
      assertThat(edge.isEmpty()).isTrue();
      assertThatThrownBy(edge::wire).isInstanceOf(IOException.class);
    }
  }

  @Test
  void leave_answersAsBefore_andEndsEachConnection() throws Exception {
    try (Edge edge = new Edge();
        Wire kept = edge.wire()) {
      assertThat(kept.get("/query?q=1").read().header("connection")).isNotEqualTo("close");
      edge.listener.leave();
      Wire.Answer last = kept.get("/query?q=1").read();
      assertThat(last.status()).isEqualTo(200);
      assertThat(last.header("connection")).isEqualTo("close");
      assertThat(kept.isClosedByServer()).isTrue();
      try (Wire late = edge.wire()) {
        assertThat(late.get("/query?q=1").read().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void drain_halfAHead_isAnsweredAndNotCut() throws Exception {
    try (Edge edge = new Edge();
        Wire half = edge.wire()) {
      assertThat(half.get("/query?q=1").read().status()).isEqualTo(200);
      half.send("GET /query?q=1 HTTP/1.1\r\nHo");
      // There is one event loop: once it has answered another connection, it has read this head.
      try (Wire other = edge.wire()) {
        assertThat(other.get("/query?q=1").read().status()).isEqualTo(200);
      }
      Thread drain =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      edge.listener.drain(Duration.ofSeconds(20));
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      Edge.await(
          () -> {
            try (Wire late = edge.wire()) {
              return late.get("/query?q=1").read().status() == 503;
            } catch (IOException cut) {
              return false;
            }
          });
      assertThat(half.send("st: t\r\n\r\n").read().status()).isEqualTo(503);
      assertThat(drain.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void drain_outOfPatience_givesUp() throws Exception {
    try (Edge edge = new Edge();
        Wire busy = edge.wire()) {
      busy.post("/hold", new byte[1]);
      Edge.await(() -> edge.held.size() == 1);
      edge.listener.drain(Duration.ofMillis(50));
      assertThat(busy.isClosedByServer()).isTrue();
      // The handler replies all the same, after the connection was closed.
      edge.held.remove().reply(200);
    }
  }

  @Test
  void drain_whileManyAsk_endsWithNothingUnderWay() throws Exception {
    try (Edge edge = new Edge()) {
      Thread[] askers = new Thread[8];
      for (int i = 0; i < askers.length; i++) {
        askers[i] =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        while (true) {
                          try (Wire wire = edge.wire()) {
                            while (wire.post("/echo", new byte[10]).read().status() == 200) {}
                          }
                        }
                      } catch (IOException e) {
                        // The server has stopped.
                      }
                    });
      }
      Edge.await(() -> edge.answered.get() > 1_000);
      edge.listener.drain(Duration.ofSeconds(20));
      for (Thread asker : askers) {
        assertThat(asker.join(Duration.ofSeconds(20))).isTrue();
      }
      assertThat(edge.isEmpty()).isTrue();
    }
  }
}
