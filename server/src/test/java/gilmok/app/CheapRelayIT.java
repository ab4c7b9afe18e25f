package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Promise 7 for webhooks: partners that hang, and the open breakers for them, cost no throwable.
 */
@Tag("process")
final class CheapRelayIT extends DeliveryRig {
  private static final int LOAD = 60;

  @Override
  String[] settings() {
    return new String[] {
      "http.event-loops=2",
      "relay.private-networks=127.0.0.1",
      "relay.timeout=200 ms",
      "relay.lease=2 s",
      "relay.retry-min=50 ms",
      "relay.retry-max=100 ms",
      "relay.poll-interval=50 ms",
      "relay.breaker-pause=1 s"
    };
  }

  @Test
  void partnersThatHang_andTheirOpenBreakers_createNoThrowable() throws Exception {
    try (Silence silence = new Silence()) {
      hang("s0", silence.port()); // Loading and linking classes creates throwables.
      AtomicInteger shops = new AtomicInteger();
      Map<String, Integer> made =
          Throwables.during(
              data,
              CheapRelayIT::isAConnectionsEnd,
              () -> hang("s" + shops.incrementAndGet(), silence.port()));
      assertThat(made).isEmpty();
      assertThat(server.metric("gilmok_relay_calls_total{outcome=\"none\"}"))
          .isGreaterThanOrEqualTo(2 * 20);
      assertThat(server.metric("gilmok_relay_calls_total{outcome=\"success\"}")).isZero();
    }
  }

  /** Netty creates one, without a stack trace, when it closes a connection for whatever reason. */
  private static boolean isAConnectionsEnd(String where) {
    return where.contains("StacklessClosedChannelException")
        && where.contains("AbstractChannel$AbstractUnsafe.close");
  }

  private void partner(String shop, int port) throws Exception {
    String body =
        "{\"kind\":\"shop\",\"url\":\"http://127.0.0.1:%d/\",\"secret\":\"%s\",\"events\":[\"*\"]}"
            .formatted(port, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    assertThat(call("PUT", "/v1/partners/" + shop, body).status()).isLessThan(300);
  }

  /**
   * Creates a shop's deliveries, and waits until calls to it have timed out, its breaker is open
   * and many webhooks are deferred.
   */
  private void hang(String shop, int port) throws Exception {
    partner(shop, port);
    String putOff = "gilmok_relay_deferred_total{reason=\"breaker\"}";
    for (int i = 0; i < LOAD; i++) {
      created(order("o" + i, shop, ""));
    }
    Program.await(
        () -> {
          String standing = call("GET", "/v1/partners/" + shop, "").body();
          return standing.contains("no answer in") && standing.contains("\"open\"");
        });
    double before = server.metric(putOff);
    Program.await(() -> server.metric(putOff) >= before + LOAD);
  }

  /** A partner that accepts every connection and never answers. */
  private static final class Silence implements AutoCloseable {
    private final ServerSocket listening =
        new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final Queue<Socket> calls = new ConcurrentLinkedQueue<>();
    private final Thread thread = Thread.ofPlatform().name("partner").unstarted(this::take);

    Silence() throws IOException {
      thread.start();
    }

    int port() {
      return listening.getLocalPort();
    }

    private void take() {
      try {
        while (true) {
          calls.add(listening.accept());
        }
      } catch (IOException closed) {
        // Expected: the end of the test closes the socket.
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
      for (Socket call : calls) {
        call.close();
      }
    }
  }
}
