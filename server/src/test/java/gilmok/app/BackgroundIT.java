package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.FaultyDisk;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Background work survives errors, and {@code /health/ready} names what cannot go on. */
@Tag("server")
final class BackgroundIT {
  @TempDir Path data;

  @Test
  void snapshotOfPositionsFails_positionsGoOn_andItIsSavedOnceItCan() throws Exception {
    try (RunningServer server = start("positions.snapshot-interval=50ms")) {
      // A folder in the place of the temporary file makes every snapshot fail.
      Path beside = Files.createDirectory(data.resolve("snapshots").resolve("live.tmp"));
      position(server, "1");
      await(() -> server.metric("gilmok_loop_up{loop=\"position-snapshots\"}") == 0);
      for (int i = 2; i < 20; i++) {
        position(server, Integer.toString(i));
        server.awaitSeen();
        assertThat(server.get("/v1/riders/r/position").status()).isEqualTo(200);
      }
      await(() -> server.get("/health/ready").body().contains("loop-position-snapshots"));
      assertThat(server.get("/health/ready").status()).isEqualTo(200);
      Files.delete(beside);
      await(() -> server.metric("gilmok_loop_up{loop=\"position-snapshots\"}") == 1);
      assertThat(server.get("/health/ready").body()).doesNotContain("loop-position-snapshots");
      assertThat(data.resolve("snapshots").resolve("live")).exists();
    }
  }

  @Test
  void savingPositionsThrowsABug_positionsGoOn_andItIsOnlyNamed() throws Exception {
    Faulty faulty = new Faulty();
    try (RunningServer server =
        RunningServer.start(data, faulty, "positions.snapshot-interval=50ms")) {
      faulty.strike(
          "position-snapshots",
          FaultyDisk.Operation.CREATE,
          () -> {
            throw new IllegalStateException("told to fail");
          });
      position(server, "1");
      await(() -> server.get("/health/ready").body().contains("loop-position-snapshots"));
      assertThat(server.get("/health/ready").status()).isEqualTo(200);
      position(server, "2");
      server.awaitSeen();
      assertThat(server.get("/v1/riders/r/position").body()).contains("\"id\":\"2\"");
      faulty.disk().set(FaultyDisk.NONE);
      await(() -> server.metric("gilmok_loop_up{loop=\"position-snapshots\"}") == 1);
    }
  }

  @Test
  void readingPositionsThrowsAnError_noneIsLost() throws Exception {
    Faulty faulty = new Faulty();
    try (RunningServer server = RunningServer.start(data, faulty)) {
      faulty.strike(
          "positions",
          FaultyDisk.Operation.READ,
          () -> {
            throw new NoClassDefFoundError("told to fail");
          });
      position(server, "1");
      await(() -> server.metric("gilmok_loop_failures_total{loop=\"positions\"}") > 1);
      faulty.disk().set(FaultyDisk.NONE);
      server.awaitSeen();
      assertThat(server.get("/v1/riders/r/position").body()).contains("\"id\":\"1\"");
    }
  }

  /** Puts the server's log on a disk that fails as a test says. */
  private static final class Faulty implements Stores {
    private @Nullable FaultyDisk disk;

    @Override
    public Disk disk(Disk real) {
      disk = new FaultyDisk(real);
      return disk;
    }

    FaultyDisk disk() {
      return Objects.requireNonNull(disk);
    }

    /** From now on, each such operation on the thread of that name runs {@code what} first. */
    void strike(String thread, FaultyDisk.Operation operation, Runnable what) {
      disk()
          .set(
              (now, path) -> {
                if (now == operation && Thread.currentThread().getName().equals(thread)) {
                  what.run();
                }
              });
    }
  }

  @Test
  void oneDeliveryIsUnreadable_theOthersReachTheLog_alsoAfterARestart() throws Exception {
    String damaged;
    try (RunningServer server = start()) {
      damaged = deliver(server, "o-1");
      await(() -> events(server) == 1);
    }
    try (Connection sql = DriverManager.getConnection("jdbc:sqlite:" + data + "/documents.db");
        Statement statement = sql.createStatement()) {
      statement.executeUpdate("UPDATE deliveries SET document = x'7b'");
      statement.executeUpdate("UPDATE outbox SET version = 2, log_due = 1");
    }
    try (RunningServer server = start()) {
      await(() -> server.metric("gilmok_outbox_unreadable_total{reader=\"log\"}") == 1);
      deliver(server, "o-2");
      await(() -> events(server) == 1);
      assertThat(server.get("/v1/deliveries/" + damaged).status()).isEqualTo(500);
    }
    try (RunningServer server = start()) {
      deliver(server, "o-3");
      await(() -> events(server) == 1);
      assertThat(server.metric("gilmok_loop_up{loop=\"outbox\"}")).isEqualTo(1);
    }
  }

  /**
   * A kept cursor protects the records that its part has not read. Only the cursor of positions is
   * deleted, as positions come back from their snapshot and the log. The other cursors keep the log
   * from deleting segments, so they are counted.
   */
  @Test
  void partsLeftOff_theirCursorsAreKeptAndNamed_untilTheyRunAgain() throws Exception {
    String delivery;
    try (RunningServer server = start("sinks.enabled=files")) {
      position(server, "1");
      delivery = deliver(server, "o-1");
      String steps = "/v1/deliveries/" + delivery;
      assertThat(server.post(steps + "/accept", "{}").status()).isEqualTo(200);
      assertThat(server.post(steps + "/assign", "{\"riderId\":\"r\"}").status()).isEqualTo(200);
      await(() -> events(server) == 3);
      assertThat(server.metric("gilmok_log_unread_cursors")).isZero();
    }
    assertThat(data.resolve("cursors/live.cursor")).exists();
    try (RunningServer server = start("only=collect")) {
      position(server, "2");
      String action =
          "{\"riderId\":\"r\",\"at\":%d,\"type\":\"pickup\",\"deliveryId\":\"%s\"}"
              .formatted(System.currentTimeMillis(), delivery);
      assertThat(server.post("/v1/actions", action).status()).isEqualTo(202);
      assertThat(data.resolve("cursors/live.cursor")).doesNotExist();
      for (String name : new String[] {"ship.files", "deliveries", "statements"}) {
        assertThat(data.resolve("cursors/" + name + ".cursor")).exists();
      }
      assertThat(server.metric("gilmok_log_unread_cursors")).isEqualTo(3);
      assertThat(server.metric("gilmok_statements_skipped_records_total")).isZero();
    }
    try (RunningServer server = start()) {
      server.awaitSeen();
      assertThat(server.get("/v1/riders/r/position").body()).contains("\"id\":\"2\"");
      await(() -> server.get("/v1/deliveries/" + delivery).body().contains("\"PICKED_UP\""));
    }
  }

  @Test
  void forceOfTheLogHangs_isNotReadyUntilItHasEnded() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    Faulty faulty = new Faulty();
    try (RunningServer server = RunningServer.start(data, faulty);
        ExecutorService phones = Executors.newVirtualThreadPerTaskExecutor()) {
      position(server, "1");
      faulty.strike(
          "log-writer",
          FaultyDisk.Operation.FORCE,
          () -> {
            try {
              answers.await();
            } catch (InterruptedException stopped) {
              throw new AssertionError(stopped);
            }
          });
      Future<?> phone =
          phones.submit(
              () -> {
                position(server, "2");
                return null;
              });
      await(() -> server.get("/health/ready").status() == 503);
      assertThat(server.get("/health/ready").body()).contains("log-commit", "has not come to");
      assertThat(server.metric("gilmok_log_commit_age_seconds")).isGreaterThan(4);
      answers.countDown();
      phone.get();
      await(() -> server.get("/health/ready").status() == 200);
    }
  }

  @Test
  void logIsFull_isNotReadyUntilThereIsRoom() throws Exception {
    String[] off = {"sinks.enabled=files"};
    try (RunningServer server = start(off)) {
      assertThat(server.post("/v1/sinks/files/pause", "").status()).isEqualTo(200);
      assertThat(server.get("/health/ready").status()).isEqualTo(200);
      String filler = "x".repeat(4000);
      String refusal = "";
      for (int i = 0; !refusal.contains("no-room"); i++) {
        StringBuilder body = new StringBuilder("[");
        for (int j = 0; j < 100; j++) {
          body.append(j == 0 ? "" : ",")
              .append("{\"riderId\":\"r\",\"at\":1,\"level\":\"info\",\"message\":\"")
              .append(i + " " + j + filler)
              .append("\"}");
        }
        RunningServer.Reply reply = server.post("/v1/logs", body.append(']').toString());
        // On a slow disk an earlier refusal may have another reason.
        refusal = reply.status() == 202 ? "" : reply.body();
        assertThat(i).as("requests; the last answer was %s", refusal).isLessThan(5_000);
      }
      await(() -> server.get("/health/ready").status() == 503);
      assertThat(server.get("/health/ready").body()).contains("log-room", "ship.files");
      assertThat(server.post("/v1/sinks/files/resume", "").status()).isEqualTo(200);
      await(() -> server.get("/health/ready").status() == 200);
    }
  }

  private RunningServer start(String... settings) throws Exception {
    return RunningServer.start(data, settings);
  }

  private static void position(RunningServer server, String id) throws Exception {
    String body =
        "{\"riderId\":\"r\",\"at\":%d,\"lat\":37.5,\"lon\":127.0,\"id\":\"%s\"}"
            .formatted(System.currentTimeMillis(), id);
    assertThat(server.post("/v1/traces", body).status()).isEqualTo(202);
  }

  private static String deliver(RunningServer server, String orderId) throws Exception {
    String place = "{\"lat\":37.5,\"lon\":127.0,\"address\":\"A\"}";
    RunningServer.Reply reply =
        server.post(
            "/v1/deliveries",
            "{\"orderId\":\"%s\",\"shopId\":\"s\",\"pickup\":%s,\"dropoff\":%s}"
                .formatted(orderId, place, place));
    assertThat(reply.status()).isEqualTo(201);
    return reply.json().get("id").asString();
  }

  /** How many records were appended to the stream {@code deliveries} since the start. */
  private static double events(RunningServer server) throws IOException, InterruptedException {
    return server.metric("gilmok_log_appended_records_total{stream=\"deliveries\"}");
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + 30_000_000_000L;
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
