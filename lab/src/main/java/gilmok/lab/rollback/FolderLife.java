package gilmok.lab.rollback;

import gilmok.lab.LabClient;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * One life of a server of one version over the data folder. Not thread-safe.
 *
 * @param jar the version's program
 * @param work the folder with the data folder and the output
 */
record FolderLife(Path jar, Path work) {
  private static final Duration READY_WAIT = Duration.ofMinutes(2);
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(20);
  private static final int SETTLE_TRIES = 400;

  /** Small files, so that there are several of each kind; partners at a port that is closed. */
  private static final List<String> SMALL =
      List.of(
          "--set", "collect.body-bytes-max=128KiB",
          "--set", "log.group-bytes-max=256KiB",
          "--set", "log.segment-bytes=1MiB",
          "--set", "log.snapshot-interval=500ms",
          "--set", "positions.snapshot-interval=500ms",
          "--set", "sinks.enabled=files",
          "--set", "sinks.files.file-age-max=1s",
          "--set", "relay.private-networks=127.0.0.1",
          "--set", "operate.flight-recorder=false");

  /** The data folder. */
  Path data() {
    return work.resolve("data");
  }

  /**
   * Starts the server and waits until it is ready.
   *
   * @throws IOException when it does not start; the message has its last lines
   */
  Subject start() throws IOException, InterruptedException {
    int port = Servers.freePort();
    List<String> arguments = new ArrayList<>(Servers.serve(port, data()));
    arguments.addAll(SMALL);
    Subject server =
        Subject.start(
            "gilmok",
            Subject.java(options(), jar, arguments),
            Map.of(),
            port,
            work.resolve("server.out"));
    try {
      server.awaitAnswer("/health/ready", status -> status == 200, READY_WAIT);
    } catch (IOException | InterruptedException failed) {
      server.kill();
      throw failed;
    }
    return server;
  }

  /** The options of Java: such a server ends before the best compiler would pay. */
  static List<String> options() {
    List<String> options = new ArrayList<>(Servers.JVM);
    options.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    return options;
  }

  /** What the program is: the answer of {@code /version}. */
  JsonNode version(Subject server) throws IOException, InterruptedException {
    try (LabClient client = client(server)) {
      return client.json("/version");
    }
  }

  LabClient client(Subject server) throws IOException {
    return new LabClient(server.url(), key(), ANSWER_WAIT);
  }

  /** The admin key that the first start made. */
  String key() throws IOException {
    return Files.readString(data().resolve("admin.key")).strip();
  }

  /**
   * Waits until every sink has everything, and checks the account.
   *
   * @return what is wrong with it; empty when all adds up
   */
  List<String> account(Subject server) throws IOException, InterruptedException {
    try (LabClient client = client(server)) {
      JsonNode ledger = client.json("/v1/ledger");
      for (int left = SETTLE_TRIES; left > 0 && isWaiting(ledger); left--) {
        TimeUnit.MILLISECONDS.sleep(50);
        ledger = client.json("/v1/ledger");
      }
      List<String> wrong = new ArrayList<>();
      if (isWaiting(ledger)) {
        wrong.add("the sinks do not get everything: " + ledger);
      }
      if (ledger.path("items").isEmpty()) {
        wrong.add("no sink has an account: " + ledger);
      }
      for (JsonNode item : ledger.path("items")) {
        for (String none : List.of("residue", "lost", "skipped")) {
          if (item.path(none).asLong(-1) != 0) {
            wrong.add(none + " is not 0: " + item);
          }
        }
      }
      return wrong;
    }
  }

  private static boolean isWaiting(JsonNode ledger) {
    return ledger.path("items").valueStream().anyMatch(item -> item.path("waiting").asLong(1) > 0);
  }
}
