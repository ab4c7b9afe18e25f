package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import gilmok.log.CleanMark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM under load: no request under way is dropped, and nothing acknowledged is lost. */
@Tag("process")
final class SignalIT {
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final int LANES = 4;

  @TempDir Path data;

  @Test
  void term_underLoad_finishesWhatHasBegunAndClosesTheLog() throws Exception {
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    try (Program server = Program.serve(data);
        SlowRequest slow = new SlowRequest(server.uri(""), key(), record("slow"))) {
      List<Thread> lanes = load(server.uri("/v1/traces"), acknowledged);
      Program.await(() -> acknowledged.size() >= 300);
      server.terminate();
      awaitNotReady(server);
      assertThat(slow.finish()).startsWith("HTTP/1.1 202");
      acknowledged.add("slow");
      Ended ended = server.end();
      for (Thread lane : lanes) {
        lane.join(Duration.ofSeconds(30));
      }
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err())
          .contains("stopping; a second signal ends at once")
          .contains("stopped");
      assertThat(ended.said()).isEmpty();
    }
    assertThat(CleanMark.isAtEndOf(data)).isTrue();
    Ended printed = Program.run("log", "cat", "--data=" + data);
    assertThat(printed.code()).as(printed.err()).isZero();
    List<String> stored = new ArrayList<>();
    ID.matcher(printed.out()).results().forEach(id -> stored.add(id.group(1)));
    assertThat(stored).doesNotHaveDuplicates().containsAll(acknowledged);
  }

  @Test
  void secondSignal_endsAtOnce() throws Exception {
    try (Program server = Program.serve(data, "--set=stop.patience=10min");
        SlowRequest slow = new SlowRequest(server.uri(""), key(), record("slow"))) {
      server.terminate();
      awaitNotReady(server);
      server.terminate();
      assertThat(server.end().code()).isEqualTo(130);
      assertThat(slow.isOver()).isTrue();
    }
    assertThat(CleanMark.isAtEndOf(data)).isFalse();
    try (RunningServer again = RunningServer.start(data)) {
      assertThat(again.post("/v1/traces", record("next")).status()).isEqualTo(202);
    }
  }

  private List<Thread> load(URI uri, Queue<String> acknowledged) throws IOException {
    List<Thread> lanes = new ArrayList<>();
    String key = key();
    for (int lane = 0; lane < LANES; lane++) {
      String prefix = "lane" + lane + "-";
      lanes.add(Thread.ofVirtual().start(() -> post(uri, key, prefix, acknowledged)));
    }
    return lanes;
  }

  /** Posts on one connection until it is refused or cut off. */
  private static void post(URI uri, String key, String prefix, Queue<String> acknowledged) {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (int i = 0; ; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(uri)
                .header("X-Api-Key", key)
                .timeout(Duration.ofSeconds(20))
                .POST(BodyPublishers.ofString(record(prefix + i)))
                .build();
        if (client.send(request, BodyHandlers.ofString()).statusCode() != 202) {
          return;
        }
        acknowledged.add(prefix + i);
      }
    } catch (IOException cutOff) {
      // The last record was not acknowledged.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitNotReady(Program server) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpRequest request = HttpRequest.newBuilder(server.uri("/health/ready")).build();
      Program.await(
          () -> {
            try {
              HttpResponse<String> reply = client.send(request, BodyHandlers.ofString());
              return reply.statusCode() == 503 && reply.body().contains("stopping");
            } catch (IOException cutOff) {
              // A stopping server closes idle connections; this one may have been among them.
              return false;
            }
          });
    }
  }

  private String key() throws IOException {
    return Files.readString(data.resolve("admin.key")).strip();
  }

  private static String record(String id) {
    return "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1,\"id\":\"" + id + "\"}";
  }

  /** A request that has sent its head and half of its body. */
  private static final class SlowRequest implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;
    private final String rest;

    SlowRequest(URI server, String key, String body) throws IOException {
      socket = new Socket(server.getHost(), server.getPort());
      socket.setSoTimeout(30_000);
      out = socket.getOutputStream();
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      rest = body.substring(body.length() / 2);
      send(
          "POST /v1/traces HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n"
                  .formatted(key, body.length())
              + "Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n");
      // The interim answer says that the request was admitted.
      assertThat(in.readLine()).startsWith("HTTP/1.1 100");
      assertThat(in.readLine()).isEmpty();
      send(body.substring(0, body.length() / 2));
    }

    String finish() throws IOException {
      send(rest);
      return String.valueOf(in.readLine());
    }

    /** Whether the server has ended the connection without an answer. */
    boolean isOver() {
      try {
        return in.readLine() == null;
      } catch (IOException reset) {
        return true;
      }
    }

    private void send(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
