package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.app.Program.Ended;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers behind ops/nginx/gilmok.conf are restarted, one after the other, under load. */
@Tag("engine")
final class RollingRestartIT {
  private static final Pattern ID = Pattern.compile("\"id\":\"(lane\\d-\\d+)\"");
  private static final String KEY = "a-key-that-both-servers-have";
  private static final int LANES = 6;

  /** How many requests are answered between two steps of the test. */
  private static final int REQUESTS = 300;

  /** The pause between two requests of a lane. It leaves some processor to a server that starts. */
  private static final long PAUSE_NANOS = 4_000_000;

  @TempDir Path folder;
  private final Queue<String> taken = new ConcurrentLinkedQueue<>();
  private final Queue<String> failed = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  void restart_oneAfterTheOther_underLoad_failsNoRequest() throws Exception {
    int[] ports = {Nginx.freePort(), Nginx.freePort()};
    String configuration =
        Files.readString(Repository.root().resolve("ops/nginx/gilmok.conf"))
            .replace("10.0.0.11:8080", "127.0.0.1:" + ports[0])
            .replace("10.0.0.12:8080", "127.0.0.1:" + ports[1]);
    Program[] servers = {start(0, ports[0]), start(1, ports[1])};
    servers[0].awaitReady();
    servers[1].awaitReady();
    try (Nginx nginx = Nginx.start(Files.createDirectory(folder.resolve("nginx")), configuration)) {
      List<Thread> lanes = load(URI.create(nginx.url() + "/v1/traces"));
      for (int i = 0; i < servers.length; i++) {
        awaitMore();
        servers[i].terminate();
        Ended ended = servers[i].end();
        servers[i].close();
        assertThat(ended.code()).as(ended.err()).isZero();
        awaitMore();
        servers[i] = start(i, ports[i], "--set=warm-up.limit=1 s");
        servers[i].awaitReady();
        assertThat(refusedAsWarming(ports[i])).as("asked while it warmed up").isPositive();
      }
      awaitMore();
      over.set(true);
      for (Thread lane : lanes) {
        assertThat(lane.join(Duration.ofSeconds(30))).isTrue();
      }
    } finally {
      over.set(true);
      for (Program server : servers) {
        server.terminate();
        server.end();
        server.close();
      }
    }
    assertThat(failed).isEmpty();
    List<String> stored = new ArrayList<>(stored(0));
    List<String> second = stored(1);
    assertThat(stored).isNotEmpty().doesNotHaveDuplicates();
    assertThat(second).isNotEmpty().doesNotHaveDuplicates();
    Set<String> all = new HashSet<>(stored);
    all.addAll(second);
    Set<String> missing = new HashSet<>(taken);
    missing.removeAll(all);
    assertThat(missing).isEmpty();
  }

  private Program start(int which, int port, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "serve",
                "--port=" + port,
                "--data=" + folder.resolve("data" + which),
                "--only=collect",
                "--set=http.host=127.0.0.1",
                "--set=log.segment-bytes=16MiB",
                "--set=log.bytes-max=64MiB",
                "--set=admin-key=" + KEY));
    arguments.addAll(more.length == 0 ? List.of("--no-warmup") : List.of(more));
    return Program.start(arguments.toArray(String[]::new));
  }

  private void awaitMore() throws Exception {
    int before = taken.size();
    Program.await(() -> taken.size() >= before + REQUESTS || !failed.isEmpty());
  }

  private List<Thread> load(URI uri) {
    List<Thread> lanes = new ArrayList<>();
    for (int lane = 0; lane < LANES; lane++) {
      String prefix = "lane" + lane + "-";
      lanes.add(Thread.ofVirtual().start(() -> post(uri, prefix)));
    }
    return lanes;
  }

  /** Posts on one kept connection, and sends nothing twice. */
  private void post(URI uri, String prefix) {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (int i = 0; !over.get(); i++) {
        String id = prefix + i;
        HttpRequest request =
            HttpRequest.newBuilder(uri)
                .header("X-Api-Key", KEY)
                .timeout(Duration.ofSeconds(30))
                .POST(
                    BodyPublishers.ofString(
                        "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1,\"id\":\"" + id + "\"}"))
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        LockSupport.parkNanos(PAUSE_NANOS);
        if (answer.statusCode() == 202) {
          taken.add(id);
        } else {
          failed.add(id + ": " + answer.statusCode() + " " + answer.body());
        }
      }
    } catch (IOException cutOff) {
      failed.add(prefix + ": " + cutOff);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many requests a server has refused since its start because it was warming up. */
  private static long refusedAsWarming(int port) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
              .header("X-Api-Key", KEY)
              .build();
      return client
          .send(request, BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith("gilmok_http_refusals_total{refusal=\"warming\"}"))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
          .sum();
    }
  }

  private List<String> stored(int which) throws Exception {
    Ended printed = Program.run("log", "cat", "--data=" + folder.resolve("data" + which));
    assertThat(printed.code()).as(printed.err()).isZero();
    return ID.matcher(printed.out()).results().map(id -> id.group(1)).toList();
  }
}
