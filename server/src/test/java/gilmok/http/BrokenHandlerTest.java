package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a handler throws, wherever: its request is answered or cut off, and its room is freed.
 */
@Tag("server")
final class BrokenHandlerTest {
  @TempDir Path folder;

  /** Handlers that fail; errors are as likely as exceptions. */
  private static final List<Consumer<Exchange>> BUGS =
      List.of(
          exchange -> {
            throw new IllegalArgumentException("told to fail");
          },
          exchange -> {
            throw new AssertionError("told to fail");
          },
          exchange -> {
            throw new NoClassDefFoundError("told to fail");
          },
          exchange -> {
            throw new StackOverflowError("told to fail");
          },
          exchange -> {
            throw new OutOfMemoryError("told to fail");
          });

  @Test
  void handler_throwsAnything_isAnswered_andItsRoomIsFree() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (Consumer<Exchange> bug : BUGS) {
        edge.bug = bug;
        assertThat(wire.get("/bug").read().status()).isEqualTo(500);
        assertThat(edge.isEmpty()).isTrue();
      }
      assertThat(edge.count(Refusal.BROKEN)).isEqualTo(BUGS.size());
      assertThat(wire.get("/query?q=1").read().text()).isEqualTo("1");
    }
  }

  @Test
  void taskOnTheLoop_throwsAnything_isAnswered_andItsRoomIsFree() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      for (Consumer<Exchange> bug : BUGS) {
        edge.bug = exchange -> exchange.execute(() -> bug.accept(exchange));
        assertThat(wire.get("/bug").read().status()).isEqualTo(500);
        assertThat(edge.isEmpty()).isTrue();
      }
      edge.bug = exchange -> exchange.execute(() -> exchange.replyHeader("X-Name", "two\r\nlines"));
      assertThat(wire.get("/bug").read().status()).isEqualTo(500);
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @Test
  void replyThatCannotBeSent_cutsTheConnection_andItsRoomIsFree() throws Exception {
    try (Edge edge = new Edge()) {
      edge.bug = exchange -> exchange.reply(200, "text/plain\r\nX: y", new byte[] {1});
      try (Wire wire = edge.wire()) {
        assertThatThrownBy(() -> wire.get("/bug").read())
            .isInstanceOf(IOException.class)
            .isNotInstanceOf(SocketTimeoutException.class);
      }
      Edge.await(() -> edge.isEmpty() && edge.listener.connections() == 0);
    }
  }

  @Test
  void handlerThatThrowsBehindItsReply_isAnsweredOnce() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      edge.bug =
          exchange -> {
            Edge.text(exchange, "good");
            throw new AssertionError("told to fail");
          };
      assertThat(wire.get("/bug").read().text()).isEqualTo("good");
      assertThat(wire.get("/query?q=1").read().text()).isEqualTo("1");
      assertThat(edge.isEmpty()).isTrue();
      assertThat(edge.count(Refusal.BROKEN)).isZero();
    }
  }

  @Test
  void handlerThatThrowsBehindTheHeadOfAStream_breaksItOff() throws Exception {
    try (Edge edge = new Edge()) {
      edge.bug =
          exchange -> {
            edge.streams.add(exchange.stream("text/event-stream"));
            throw new AssertionError("told to fail");
          };
      try (Wire wire = edge.wire()) {
        wire.get("/bug");
        Edge.await(edge.streams.take()::isEnded);
      }
      Edge.await(() -> edge.listener.connections() == 0);
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @Test
  void streamThatCannotBegin_isAnswered_andItsPlaceIsGivenBack() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      Offload offload = edge.offloads.of(new Offload.Part("t", "it fails", 2, null));
      edge.bug = exchange -> offload.stream(exchange, "text/plain\r\nX: y", _ -> true);
      for (int i = 0; i < 4; i++) {
        assertThat(wire.get("/bug").read().status()).isEqualTo(500);
      }
      assertThat(edge.isEmpty()).isTrue();
      assertThat(page(edge)).contains("gilmok_t_in_flight 0");
      // The failure is counted after the answer is sent.
      Edge.await(() -> page(edge).contains("{cause=\"bug\",part=\"t\"} 4"));
      edge.bug = exchange -> offload.stream(exchange, "text/plain", _ -> true);
      assertThat(wire.get("/bug").read().status()).isEqualTo(200);
    }
  }

  private static String page(Edge edge) {
    return new String(edge.meters.scrape(), StandardCharsets.UTF_8);
  }

  @Test
  void whoeverIsToldOfAGoneClient_throws_theOthersOfItsConnectionAreToldToo() throws Exception {
    OverTls tls = new OverTls(folder);
    try (Edge edge = new Edge(tls::serve)) {
      edge.bug =
          exchange -> {
            edge.held.add(exchange);
            exchange.whenGone(
                () -> {
                  edge.gone.incrementAndGet();
                  throw new AssertionError("told to fail");
                });
          };
      HttpClient client = tls.client();
      client.send(edge.request("/query?q=1").build(), BodyHandlers.discarding());
      for (int i = 0; i < 3; i++) {
        var _ = client.sendAsync(edge.request("/bug").build(), BodyHandlers.discarding());
      }
      Edge.await(() -> edge.held.size() == 3);
      client.shutdownNow();
      Edge.await(() -> edge.gone.get() == 3 && edge.listener.connections() == 0);
      edge.held.forEach(exchange -> exchange.reply(200));
      Edge.await(edge::isEmpty);
    }
  }
}
