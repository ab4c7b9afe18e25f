package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that does not read its stream. Nothing is queued for it in memory, and when it reads on,
 * it gets each rider's newest position only.
 */
@Tag("server")
final class SlowReaderIT {
  private static final int RIDERS = 50;
  private static final int REQUESTS = 100;
  private static final int ROUNDS = 20;
  private static final String HELD_BACK = "gilmok_positions_stream_held_back_total";
  private static final String TOLD = "gilmok_positions_stream_events_total{event=\"position\"}";
  private static final Pattern SMALL =
      Pattern.compile("data: \\{\"riderId\":\"r(\\d+)\",[^{}]*\"lat\":(\\d+),[^{}]*\"speed\":1");

  @TempDir Path data;

  private long at = System.currentTimeMillis() - 3_600_000;

  @Test
  void reader_thatDoesNotRead_isToldEachRidersNewestOnce() throws Exception {
    try (RunningServer server = RunningServer.start(data, "http.body-timeout=10min");
        Socket socket = connect(server)) {
      fill(server);
      double told = server.metric(TOLD);
      for (int i = 0; i < REQUESTS; i++) {
        post(server, ROUNDS, i % 90, "\"speed\":1");
      }
      server.awaitSeen();
      assertThat(server.metric(TOLD)).as("nothing was written, so nothing waits").isEqualTo(told);
      assertThat(newest(socket.getInputStream()))
          .as("each rider once")
          .hasSize(RIDERS)
          .allSatisfy((rider, lats) -> assertThat(lats).isEqualTo((REQUESTS - 1) % 90 + " "));
    }
  }

  private static Socket connect(RunningServer server) throws Exception {
    URI uri = server.uri("/v1/stream/positions?interval=100");
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), uri.getPort()));
    String request =
        "GET %s?%s HTTP/1.1\r\nHost: t\r\nX-Api-Key: %s\r\n\r\n"
            .formatted(uri.getPath(), uri.getQuery(), server.adminKey());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Sends large positions until the sockets are full and nothing more is written to the reader. */
  private void fill(RunningServer server) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    String text = "x".repeat(8000);
    double heldBack = 0;
    double told = -1;
    while (heldBack < 20) {
      assertThat(System.nanoTime()).as("never full").isLessThan(end);
      double before = server.metric(HELD_BACK);
      if (server.metric(TOLD) != told) {
        told = server.metric(TOLD);
        heldBack = 0;
        post(server, 1, 0, "\"attributes\":{\"x\":\"" + text + "\"}");
        server.awaitSeen();
      }
      LockSupport.parkNanos(100_000_000);
      heldBack += server.metric(HELD_BACK) - before;
    }
  }

  private void post(RunningServer server, int rounds, int lat, String more) throws Exception {
    StringBuilder body = new StringBuilder();
    for (int round = 0; round < rounds; round++) {
      at++;
      for (int rider = 0; rider < RIDERS; rider++) {
        body.append("{\"riderId\":\"r%d\",\"at\":%d,".formatted(rider, at))
            .append("\"lat\":%d,\"lon\":%d,%s}\n".formatted(lat, round, more));
      }
    }
    assertThat(
            server
                .send(server.adminKey(), "POST", "/v1/traces", "application/x-ndjson", "" + body)
                .status())
        .isEqualTo(202);
  }

  /** The latitudes of small positions by rider, read until each rider has one. */
  private static Map<String, String> newest(InputStream in) throws Exception {
    StringBuilder text = new StringBuilder();
    byte[] piece = new byte[1 << 16];
    Map<String, String> lats = new TreeMap<>();
    while (lats.size() < RIDERS) {
      int count = in.read(piece);
      assertThat(count).as("the stream goes on").isPositive();
      text.append(new String(piece, 0, count, StandardCharsets.ISO_8859_1));
      int done = text.lastIndexOf("\n\n");
      if (done > 0) {
        Matcher small = SMALL.matcher(text.substring(0, done));
        while (small.find()) {
          lats.merge(small.group(1), small.group(2) + " ", String::concat);
        }
        text.delete(0, done);
      }
    }
    return lats;
  }
}
