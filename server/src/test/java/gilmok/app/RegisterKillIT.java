package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * kill -9 again and again while locations are looked at and collected: the register has each look
 * that was answered, and counts each collected record once.
 */
@Tag("process")
final class RegisterKillIT {
  private static final int LANES = 3;
  private static final int ROUNDS = 3;
  private static final int BATCH = 3;
  private static final long MILLIS = 1_000_000L;

  /** Longer than it takes to answer some hundred requests, and to move what waits. */
  private static final int LIFE_MILLIS_MAX = 1_200;

  private static final String[] SETTINGS = {"--set=privacy.register-retention=30 d"};

  @TempDir Path data;

  /** How many looks of each lane were answered, and how many got no answer. */
  private final List<AtomicLong> looks = counts();

  private final List<AtomicLong> unanswered = counts();

  /** How many batches of each lane were acknowledged: the next one is sent until it is. */
  private final List<AtomicLong> batches = counts();

  private static List<AtomicLong> counts() {
    return IntStream.range(0, LANES).mapToObj(_ -> new AtomicLong()).toList();
  }

  /** A client of the running server, with a connection of its own. */
  private record Client(HttpClient http, URI base, String key) implements AutoCloseable {
    HttpResponse<String> ask(String method, String path, String body)
        throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(base.resolve(path))
              .header("X-Api-Key", key)
              .method(method, BodyPublishers.ofString(body))
              .build();
      return http.send(request, BodyHandlers.ofString());
    }

    @Override
    public void close() {
      http.close();
    }
  }

  private Client client(URI base) throws IOException {
    String key = Files.readString(data.resolve("admin.key")).strip();
    return new Client(HttpClient.newHttpClient(), base, key);
  }

  /** What a lane does until the server is gone. */
  @FunctionalInterface
  private interface Step {
    void run(Client client) throws IOException, InterruptedException;
  }

  private Thread lane(URI base, Step step) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try (Client client = client(base)) {
                while (true) {
                  step.run(client);
                }
              } catch (IOException killed) {
                // Expected: the server was killed.
              } catch (InterruptedException hurried) {
                throw new AssertionError(hurried);
              }
            });
  }

  private void look(Client client, int lane) throws IOException, InterruptedException {
    unanswered.get(lane).incrementAndGet();
    int status = client.ask("GET", "/v1/riders/c" + lane + "/position", "").statusCode();
    if (status == 200 || status == 404) { // before the first position is there
      looks.get(lane).incrementAndGet();
      unanswered.get(lane).decrementAndGet();
    }
  }

  private void collect(Client client, int lane) throws IOException, InterruptedException {
    long first = 1_700_000_000_000L + batches.get(lane).get() * BATCH;
    String body =
        IntStream.range(0, BATCH)
            .mapToObj(
                i ->
                    "{\"riderId\":\"c%d\",\"at\":%d,\"lat\":37,\"lon\":127}"
                        .formatted(lane, first + i))
            .collect(Collectors.joining(",", "[", "]"));
    if (client.ask("POST", "/v1/traces", body).statusCode() == 202) {
      batches.get(lane).incrementAndGet();
    }
  }

  /** Has what is gathered written at many moments. */
  private static void askForRecords(Client client, Random pauses)
      throws IOException, InterruptedException {
    client.ask("GET", "/v1/privacy/records?limit=1", "");
    LockSupport.parkNanos(pauses.nextInt(100) * MILLIS);
  }

  @Test
  void killedAtRandom_theRegisterHasEachAnsweredLook_andCountsEachRecordOnce() throws Exception {
    Random random = new Random(Seeds.first());
    for (int round = 0; round < ROUNDS; round++) {
      long before = answered();
      try (Program program = Program.serve(data, SETTINGS)) {
        URI base = program.uri("/");
        List<Thread> lanes = new ArrayList<>();
        for (int i = 0; i < LANES; i++) {
          int number = i;
          lanes.add(lane(base, client -> look(client, number)));
          lanes.add(lane(base, client -> collect(client, number)));
        }
        Random pauses = new Random(random.nextLong());
        lanes.add(lane(base, client -> askForRecords(client, pauses)));
        Program.await(() -> answered() > before + 100);
        LockSupport.parkNanos(random.nextInt(LIFE_MILLIS_MAX) * MILLIS);
        program.kill();
        for (Thread lane : lanes) {
          lane.join();
        }
      }
      try (Program starting = starting()) {
        LockSupport.parkNanos(random.nextInt(LIFE_MILLIS_MAX) * MILLIS);
        starting.kill();
      }
    }
    try (Program program = Program.serve(data, SETTINGS);
        Client client = client(program.uri("/"))) {
      assertThat(program.logged())
          .contains(" WARN ", "privacy.register-retention is 30 d", "six months (183 d)");
      for (int lane = 0; lane < LANES; lane++) {
        collect(client, lane); // the one whose answer was lost, or one more
      }
      Map<String, Long> counted = counted(client);
      for (int lane = 0; lane < LANES; lane++) {
        long answered = looks.get(lane).get();
        assertThat(counted.get("seen c" + lane))
            .as("looks of lane " + lane)
            .isBetween(answered, answered + unanswered.get(lane).get());
        assertThat(counted.get("collected c" + lane))
            .as("records of lane " + lane)
            .isEqualTo(batches.get(lane).get() * BATCH);
      }
    }
  }

  private long answered() {
    return looks.stream().mapToLong(AtomicLong::get).sum();
  }

  private Program starting() throws IOException {
    List<String> arguments = Program.serving(data);
    arguments.addAll(List.of(SETTINGS));
    return Program.start(arguments.toArray(String[]::new));
  }

  /** What the whole register counts, by kind and rider, once the log has been read to its end. */
  private Map<String, Long> counted(Client client) throws Exception {
    Map<String, Long> all = new HashMap<>();
    long wanted = batches.stream().mapToLong(AtomicLong::get).sum() * BATCH;
    Program.await(
        () -> {
          all.clear();
          JsonNode page = page(client, "");
          add(page, all);
          while (page.hasNonNull("next")) {
            page = page(client, "&cursor=" + page.path("next").asString());
            add(page, all);
          }
          return all.entrySet().stream()
                  .filter(one -> one.getKey().startsWith("collected"))
                  .mapToLong(Map.Entry::getValue)
                  .sum()
              >= wanted;
        });
    return all;
  }

  private static JsonNode page(Client client, String cursor)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = client.ask("GET", "/v1/privacy/records?limit=3000" + cursor, "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body());
  }

  private static void add(JsonNode page, Map<String, Long> all) {
    for (JsonNode row : page.path("items")) {
      String rider = row.path("riderId").asString(row.path("rider").asString());
      all.merge(row.path("kind").asString() + " " + rider, row.path("count").asLong(), Long::sum);
    }
  }
}
