package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** MongoDB is slow, or away, while people look where riders are: they see it, and all is kept. */
@Tag("engine")
final class RegisterMongoIT {
  private static final String ADMIN = "the-admin-key-of-all-nodes";
  private static final String POSITION = "/v1/riders/r/position";
  private static final int LANES = 8;

  private static final Duration SLOW = Duration.ofMillis(500);

  @TempDir Path data;

  private MongoServer mongo;
  private String database;
  private MongoWire wire;

  /** How long looks took, in milliseconds, and what else than 200 they were answered. */
  private final Queue<Long> took = new ConcurrentLinkedQueue<>();

  private final Queue<Integer> refused = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void connect() throws Exception {
    mongo = MongoServer.any();
    database = mongo.newDatabase();
    wire = MongoWire.to(mongo);
  }

  @AfterEach
  void end() throws Exception {
    wire.close();
    mongo.drop(database);
  }

  private RunningServer start() throws Exception {
    return RunningServer.startKnowing(
        ADMIN,
        data,
        "admin-key=" + ADMIN,
        "documents.mongo-uri=mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true",
        "documents.mongo-database=" + database,
        "documents.mongo-timeout=2 s",
        "privacy.register-waiting-max=1 MiB");
  }

  /** Looks from several connections, as fast as it goes, until it is told to stop. */
  private List<Thread> look(RunningServer server, AtomicBoolean isOver) {
    List<Thread> lanes = new ArrayList<>();
    for (int lane = 0; lane < LANES; lane++) {
      lanes.add(Thread.ofVirtual().start(() -> lookUntil(server, isOver)));
    }
    return lanes;
  }

  private void lookUntil(RunningServer server, AtomicBoolean isOver) {
    try {
      while (!isOver.get()) {
        long began = System.nanoTime();
        int status = server.get(POSITION).status();
        took.add((System.nanoTime() - began) / 1_000_000);
        if (status != 200) {
          refused.add(status);
        }
        LockSupport.parkNanos(20_000_000); // so that it does not take the test's own processors
      }
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  private void looksGoOn(long more) throws Exception {
    int before = took.size();
    Program.await(() -> took.size() >= before + more);
  }

  private long median() {
    List<Long> all = took.stream().sorted().toList();
    return all.get(all.size() / 2);
  }

  private static int seen(RunningServer server) throws Exception {
    Set<String> ids = new HashSet<>();
    String cursor = "";
    do {
      JsonNode page = records(server, "?limit=1000" + cursor);
      for (JsonNode row : page.path("items")) {
        if (row.path("what").asString().equals("position")) {
          ids.add(row.path("id").asString());
        }
      }
      cursor = page.hasNonNull("next") ? "&cursor=" + page.path("next").asString() : "";
    } while (!cursor.isEmpty());
    return ids.size();
  }

  /** A page, once the database answers in time. */
  private static JsonNode records(RunningServer server, String query) throws Exception {
    List<RunningServer.Reply> replies = new ArrayList<>();
    Program.await(
        () -> {
          replies.add(server.get("/v1/privacy/records" + query));
          return replies.getLast().status() == 200;
        });
    return replies.getLast().json();
  }

  @Test
  void databaseThatIsSlowAndThenAway_isNotWaitedFor_andHasAllLooksInTheEnd() throws Exception {
    try (RunningServer server = start()) {
      String now = String.valueOf(System.currentTimeMillis());
      String trace = "{\"riderId\":\"r\",\"at\":" + now + ",\"lat\":37,\"lon\":127}";
      Program.await(() -> server.post("/v1/traces", trace).status() == 202);
      server.awaitSeen();
      AtomicBoolean isOver = new AtomicBoolean();
      wire.delay(SLOW);
      List<Thread> lanes = look(server, isOver);
      looksGoOn(300);
      long began = System.nanoTime();
      RunningServer.Reply records = server.get("/v1/privacy/records?limit=1");
      assertThat(records.status()).isIn(200, 503);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(31));
      wire.cut();
      looksGoOn(300);
      assertThat(server.get("/v1/privacy/records?limit=1").status())
          .as("it would look complete")
          .isEqualTo(503);
      assertThat(server.metric("gilmok_register_journal_bytes"))
          .isPositive()
          .isLessThanOrEqualTo(server.metric("gilmok_register_journal_bytes_max"));
      isOver.set(true);
      for (Thread lane : lanes) {
        lane.join();
      }
      assertThat(refused).isEmpty();
      assertThat(median()).as("milliseconds of a look").isLessThan(SLOW.toMillis());
      wire.delay(Duration.ZERO);
      wire.mend();
      assertThat(seen(server)).isEqualTo(took.size());
      assertThat(server.metric("gilmok_register_journal_bytes")).isZero();
    }
  }
}
