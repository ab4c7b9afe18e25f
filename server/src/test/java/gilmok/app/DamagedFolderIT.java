package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import gilmok.Seeds;
import gilmok.app.RunningServer.Reply;
import gilmok.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every file of a data folder is damaged in every way. The server starts and answers as before, or
 * it refuses with a line that names the file, as the table of docs/operating.md says. It never
 * fails with a stack trace, and never begins with another state without saying so.
 */
@Tag("process")
@Tag("soak")
@TestInstance(Lifecycle.PER_CLASS)
final class DamagedFolderIT {
  private static final String[] SETTINGS = {
    "log.on-clone=keep-id", "sinks.enabled=files", "sinks.files.file-age-max=20ms"
  };

  private static final int WAYS = 2;

  @TempDir static Path folder;
  private static Path stopped = Path.of("");
  private static Path killed = Path.of("");
  private static String adminKey = "";
  private static Map<String, String> sound = Map.of();
  private final Told log = new Told();

  /** What a server does when a file is damaged. */
  private enum Outcome {
    /** It refuses to start, and names the file. */
    REFUSES,
    /** It starts, and all answers are as before. */
    STARTS,
    /** It starts, all answers are as before, and it has logged which file it made anew. */
    REPAIRS,
    /** {@link #REFUSES} or {@link #STARTS}. */
    EITHER,
    /**
     * Like {@link #EITHER}, but damage to its content may go unnoticed, as the page's table says.
     */
    UNNOTICED
  }

  /**
   * A row of the table.
   *
   * @param name a pattern for the names of files
   * @param lost the outcome when the file is gone or empty
   * @param damaged the outcome when its content has changed
   */
  private record Row(String name, Outcome lost, Outcome damaged) {}

  private static final List<Row> TABLE =
      List.of(
          new Row("admin\\.key", Outcome.STARTS, Outcome.REPAIRS),
          new Row("cursors/.*\\.cursor", Outcome.EITHER, Outcome.REPAIRS),
          new Row("devices", Outcome.REFUSES, Outcome.REFUSES),
          new Row("documents\\.db", Outcome.REFUSES, Outcome.UNNOTICED),
          new Row("documents\\.db-wal", Outcome.REFUSES, Outcome.EITHER),
          new Row("documents\\.db-shm", Outcome.STARTS, Outcome.STARTS),
          new Row("drained", Outcome.STARTS, Outcome.STARTS),
          new Row("gilmok\\.lock", Outcome.STARTS, Outcome.STARTS),
          new Row("inventory", Outcome.STARTS, Outcome.REPAIRS),
          new Row("log/[0-9]+\\.log", Outcome.REFUSES, Outcome.EITHER),
          new Row("log/prepared-[0-9]+", Outcome.STARTS, Outcome.STARTS),
          new Row("node", Outcome.EITHER, Outcome.EITHER),
          new Row("pseudonym\\.secret", Outcome.REFUSES, Outcome.REFUSES),
          new Row("receipts/.*", Outcome.UNNOTICED, Outcome.UNNOTICED),
          new Row("register/[0-9]+\\.rows", Outcome.STARTS, Outcome.UNNOTICED),
          new Row("repeats\\.secret", Outcome.REFUSES, Outcome.REFUSES),
          new Row("shipped/.*", Outcome.STARTS, Outcome.STARTS),
          new Row("snapshots/live", Outcome.STARTS, Outcome.REPAIRS),
          new Row("snapshots/repeats", Outcome.STARTS, Outcome.REPAIRS),
          new Row("track\\.secret", Outcome.REFUSES, Outcome.REFUSES),
          new Row("session\\.secret", Outcome.REFUSES, Outcome.REFUSES));

  /** Collects what is logged as a warning or worse. */
  private static final class Told extends Handler {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord line) {
      if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
        lines.add(new SimpleFormatter().formatMessage(line));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeAll
  void used() throws Exception {
    Logger.getLogger("").addHandler(log);
    stopped = folder.resolve("stopped");
    killed = folder.resolve("killed");
    try (RunningServer server = RunningServer.start(stopped, SETTINGS)) {
      adminKey = server.adminKey();
      for (int i = 1; i <= 3; i++) {
        assertThat(server.post("/v1/traces", position(i)).status()).isEqualTo(202);
      }
      put(server, "/v1/devices/phone-1", "{\"riderId\":\"rider-1\"}");
      put(server, "/v1/missions/m1", "{\"title\":\"m\"}");
      server.key("{\"name\":\"one\",\"scopes\":[\"read\"]}");
      Reply made =
          server.post(
              "/v1/deliveries",
              "{\"shopId\":\"s\",\"orderId\":\"1\",\"pickup\":{\"lat\":1,\"lon\":1,"
                  + "\"address\":\"a\"},\"dropoff\":{\"lat\":1,\"lon\":1,\"address\":\"b\"}}");
      assertThat(made.status()).isEqualTo(201);
      String id = made.json().get("id").asString();
      String asked = "/v1/deliveries/" + id + "/track";
      String link = server.send(adminKey, "POST", asked, "", "").json().get("url").asString();
      server.awaitSeen();
      Program.await(() -> !server.get("/v1/ledger").body().matches("(?s).*\"waiting\":[1-9].*"));
      sound = new LinkedHashMap<>();
      sound.put("/v1/riders/rider-1/position", "");
      sound.put("/v1/riders/rider-3/position", "");
      sound.put("/v1/deliveries/" + id, "");
      sound.put("/v1/deliveries", "");
      sound.put("/v1/devices/phone-1", "");
      sound.put("/v1/missions/m1", "");
      sound.put("/v1/keys", "");
      sound.put(link.substring(link.indexOf("/track/")), "");
      sound.replaceAll((path, _) -> answer(server, path));
      // A copy of a running server's folder is as kill -9 leaves it, as nothing is being written;
      // only the lock may differ.
      FolderDamage.restore(stopped, killed);
    }
  }

  @AfterAll
  void leave() {
    Logger.getLogger("").removeHandler(log);
  }

  @Test
  void everyFile_isInTheTable() throws Exception {
    List<String> names = new ArrayList<>(files(stopped));
    names.addAll(files(killed));
    for (String name : names) {
      assertThat(TABLE.stream().filter(row -> name.matches(row.name)))
          .as("the row of %s here, and in docs/operating.md", name)
          .hasSize(1);
    }
  }

  @Test
  void everyFile_damagedAfterAStop_isRepairedOrNamed() throws Exception {
    List<String> names = new ArrayList<>(files(stopped));
    names.removeIf(name -> name.startsWith("shipped/stream=deliveries")); // like other streams
    assertThat(faults(stopped, names)).isEmpty();
  }

  @Test
  void documents_damagedAfterAKill_areRepairedOrNamed() throws Exception {
    List<String> names = new ArrayList<>(files(killed));
    names.removeIf(name -> !name.startsWith("documents.db"));
    assertThat(names).hasSize(3);
    assertThat(faults(killed, names)).isEmpty();
  }

  private List<String> faults(Path data, List<String> names) throws Exception {
    List<String> faults = new ArrayList<>();
    for (String name : names) {
      Row row = TABLE.stream().filter(one -> name.matches(one.name)).findFirst().orElseThrow();
      List<FolderDamage> ways = new ArrayList<>(FolderDamage.ROUGH);
      for (double part : new double[] {0.3, 0.9}) {
        ways.add(FolderDamage.flipped(part));
      }
      // Each file in some ways; in every way with the whole budget.
      Collections.shuffle(ways, new Random(Seeds.first() + name.hashCode()));
      for (FolderDamage damage : Seeds.isWhole() ? ways : ways.subList(0, WAYS)) {
        String fault = fault(data, name, row, damage);
        if (fault != null) {
          faults.add(name + ", " + damage.name() + ": " + fault);
        }
      }
    }
    return faults;
  }

  /** How the server differs from what the table says; null when it does not. */
  private @Nullable String fault(Path sound, String name, Row row, FolderDamage damage)
      throws Exception {
    Path data = folder.resolve("damaged");
    FolderDamage.restore(sound, data);
    Path file = data.resolve(name);
    byte[] before = Files.readAllBytes(file);
    damage.way().spoil(file);
    boolean isFolder = Files.isDirectory(file);
    boolean isLost = !isFolder && (Files.notExists(file) || Files.size(file) == 0);
    boolean isSame = !isFolder && !isLost && Arrays.equals(before, Files.readAllBytes(file));
    Outcome told = isLost ? row.lost : row.damaged;
    Outcome outcome = isFolder || isSame ? Outcome.EITHER : told;
    log.lines.clear();
    try (RunningServer server = RunningServer.startKnowing(adminKey, data, SETTINGS)) {
      if (outcome == Outcome.REFUSES) {
        return "it starts";
      }
      boolean isSaid = log.lines.stream().anyMatch(line -> line.contains(name));
      if (outcome == Outcome.REPAIRS && !isSaid) {
        return "nothing is said of it: " + log.lines;
      }
      return outcome == Outcome.UNNOTICED ? null : difference(server);
    } catch (IOException refused) {
      String line = StartFailure.line(refused, data);
      // For a lost segment the line names the log's folder.
      boolean isNamed = line.contains(name) || line.contains(file.getParent() + ":");
      if (!isNamed) {
        return "the line does not name it: " + line;
      }
      if (line.contains("\n")) {
        return "more than a line: " + line;
      }
      return outcome == Outcome.STARTS || outcome == Outcome.REPAIRS ? "refused: " + line : null;
    } catch (RuntimeException bug) {
      return "a stack trace: " + bug + " at " + bug.getStackTrace()[0];
    }
  }

  private static @Nullable String difference(RunningServer server) throws Exception {
    server.awaitSeen();
    for (Map.Entry<String, String> one : sound.entrySet()) {
      String now = answer(server, one.getKey());
      if (!now.equals(one.getValue())) {
        return one.getKey() + " is " + now + " and was " + one.getValue();
      }
    }
    Reply repeat = server.post("/v1/traces", position(2));
    return repeat.body().contains("\"duplicates\":1") ? null : "a repeat is " + repeat;
  }

  private static String answer(RunningServer server, String path) {
    try {
      Reply reply = server.get(path);
      return reply.status() + " " + reply.body();
    } catch (IOException | InterruptedException e) {
      return fail(path, e);
    }
  }

  private static void put(RunningServer server, String path, String body) throws Exception {
    Reply reply = server.send(server.adminKey(), "PUT", path, "application/json", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
  }

  private static String position(int i) {
    return "{\"riderId\":\"rider-%d\",\"at\":%d,\"lat\":1,\"lon\":1}".formatted(i, 1000 * i);
  }

  private static List<String> files(Path data) throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(Files::isRegularFile)
          .map(one -> data.relativize(one).toString())
          .sorted()
          .toList();
    }
  }
}
