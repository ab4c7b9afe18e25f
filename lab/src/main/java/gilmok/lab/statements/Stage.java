package gilmok.lab.statements;

import gilmok.lab.LabClient;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The setup of the parts over HTTP: a database, a replay of it, the servers, and riders with a
 * number of entries in 31 days each. Not thread-safe.
 */
record Stage(Servers servers, Ways.Baseline baseline, Path root, Path work, String heap) {
  private static final Duration START_WAIT = Duration.ofMinutes(5);
  private static final Duration POST_WAIT = Duration.ofMinutes(2);
  private static final int POSTED_AT_ONCE = 500;
  private static final int DAYS = 31;
  private static final LocalDate FIRST = LocalDate.of(2026, 3, 1);
  private static final ZoneId ZONE = ZoneId.of("Asia/Seoul");
  private static final long SEED = 7;

  private static final String DATABASE = "statements_" + ProcessHandle.current().pid();

  /** The path of the statement of a rider with a number of entries. */
  static String path(int documents) {
    return "/v1/riders/"
        + rider(documents)
        + "/statement?from="
        + FIRST
        + "&to="
        + FIRST.plusDays(DAYS - 1);
  }

  private static String rider(int documents) {
    return "rider-" + documents;
  }

  /**
   * Starts SecantusDB, which stands for MongoDB in the tests, with its files in the work folder.
   */
  Subject database() throws IOException, InterruptedException {
    return servers.secantus(root);
  }

  /** Starts a replay of a database. */
  Subject replay(int databasePort) throws IOException, InterruptedException {
    return servers.mongoReplay(databasePort);
  }

  /** Starts the server of this build; with SQLite if there is no database port. */
  Subject gilmok(@Nullable Integer databasePort) throws IOException, InterruptedException {
    List<String> more =
        databasePort == null
            ? List.of()
            : List.of("--set", "documents.mongo-uri=" + uri(databasePort));
    return servers.gilmok(heap, more);
  }

  /** Starts Spring Data's server, with its own defaults, including the heap size. */
  Subject spring(int databasePort) throws IOException, InterruptedException {
    int port = Servers.freePort();
    List<String> command =
        baseline.java(
            List.of(),
            "gilmok.baseline.BaselineKt",
            List.of("--server.port=" + port, "--spring.mongodb.uri=" + uri(databasePort)));
    Subject subject =
        Subject.start("spring", command, Map.of(), port, work.resolve("spring-" + port + ".out"));
    try {
      subject.awaitAnswer("/", status -> status == 404, START_WAIT);
    } catch (IOException | InterruptedException failed) {
      subject.close();
      throw failed;
    }
    return subject;
  }

  private static String uri(int port) {
    return "mongodb://127.0.0.1:" + port + "/" + DATABASE + "?directConnection=true";
  }

  /** Writes the entries through the server of this build: one rider for each size. */
  void fill(Subject gilmok, List<Integer> sizes) throws IOException, InterruptedException {
    try (LabClient client = client(gilmok)) {
      for (int size : sizes) {
        for (int from = 0; from < size; from += POSTED_AT_ONCE) {
          String body = body(size, from, Math.min(size, from + POSTED_AT_ONCE));
          LabClient.good("posting entries", client.post("/v1/statement-entries", body));
        }
      }
    }
  }

  private static LabClient client(Subject server) {
    return new LabClient(server.url(), Servers.KEY, POST_WAIT);
  }

  /** The body with a range of the entries of one rider. */
  static String body(int size, int from, int to) {
    Random random = new Random(SEED + from);
    long begin = FIRST.atStartOfDay(ZONE).toInstant().toEpochMilli();
    long length = Duration.ofDays(DAYS).toMillis();
    List<String> entries = new ArrayList<>();
    for (int i = from; i < to; i++) {
      int of = random.nextInt(20);
      String kind = of == 0 ? "deduction" : of < 4 ? "incentive" : "fee";
      String delivery = String.format(Locale.ROOT, "01KJ%05d%017d", size, i);
      entries.add(
          String.format(
              Locale.ROOT,
              "{\"id\":\"%s:%s\",\"riderId\":\"%s\",\"at\":\"%s\",\"kind\":\"%s\",\"amount\":%d,"
                  + "\"currency\":\"KRW\",\"deliveryId\":\"%s\",\"distance\":%d}",
              delivery,
              kind,
              rider(size),
              Instant.ofEpochMilli(begin + length * i / size),
              kind,
              100 * (20 + random.nextInt(40)),
              delivery,
              random.nextInt(6_000)));
    }
    return "[" + String.join(",", entries) + "]";
  }

  /** Sends the measured request once, so that the database's response is recorded. */
  JsonNode ask(Subject server, int documents) throws IOException, InterruptedException {
    try (LabClient client = client(server)) {
      return client.json(path(documents));
    }
  }
}
