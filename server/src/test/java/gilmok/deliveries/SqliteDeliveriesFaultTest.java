package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryStore.Moving;
import gilmok.deliveries.Outbox.Due;
import gilmok.documents.SqliteDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was answered must survive the death of the process. The test copies the files many times
 * while callers write, between two statements of the writer, and adds a torn write to the end of
 * SQLite's log. Opened again, a copy must be sound and have everything that was answered before,
 * all of it in the outbox. (That it is on disk, too, is due to SQLite's {@code synchronous=FULL},
 * which {@code SqliteDatabaseTest} checks.)
 */
@Tag("unit")
final class SqliteDeliveriesFaultTest {
  private static final int CALLERS = 8;
  private static final int KILLS = 12;

  @TempDir Path temp;
  private final Day day = new Day();
  private final Map<String, Integer> answered = new ConcurrentHashMap<>();

  @Test
  void killed_whateverWasAnsweredIsThere() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("alive"));
    AtomicBoolean ends = new AtomicBoolean();
    try (SqliteRig rig = new SqliteRig(folder, day);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        Random random = new Random(i);
        callers.add(threads.submit(() -> call(rig, random, ends)));
      }
      Random random = new Random(99);
      int seen = 0;
      for (int kill = 0; kill < KILLS; kill++) {
        Path left = Files.createDirectory(temp.resolve("killed" + kill));
        Map<String, Integer> promised = kill(rig, folder, left, random, seen + 50);
        seen = promised.size();
        check(left, promised);
      }
      ends.set(true);
      for (Future<Boolean> caller : callers) {
        assertThat(caller.get()).isTrue();
      }
      assertThat(seen).isGreaterThanOrEqualTo(50 * KILLS);
    }
  }

  /** Creates and moves deliveries, and notes what was answered, until {@code ends} is set. */
  private boolean call(SqliteRig rig, Random random, AtomicBoolean ends) throws Exception {
    for (int n = 0; !ends.get(); n++) {
      DeliveryOrder order = Day.order(random.nextLong() + "-" + n, Day.SHOP, Day.AGENCY);
      Delivery first =
          Lifecycle.create(DeliveryId.next(day.millis(), random), order, "key:k1", day.millis());
      rig.deliveries().create(List.of(Day.wish(first)));
      answered.put(first.id(), 1);
      for (Move move : List.of(day.move(Step.ACCEPT), day.assign(Day.RIDER))) {
        if (rig.deliveries().move(first.id(), move) instanceof Moving.Moved(Delivery moved)) {
          answered.put(first.id(), moved.version());
        }
      }
    }
    return true;
  }

  /**
   * Copies the files in the middle of a write that is not committed.
   *
   * @return what had been answered before, as versions by id
   */
  private Map<String, Integer> kill(
      SqliteRig rig, Path folder, Path left, Random random, int atLeast) throws Exception {
    while (answered.size() < atLeast) {
      LockSupport.parkNanos(100_000);
    }
    return rig.database()
        .write(
            session -> {
              session.prepare(rig.own("DELETE FROM deliveries")).executeUpdate();
              Map<String, Integer> promised = new HashMap<>(answered);
              try {
                for (String name : List.of(SqliteDatabase.FILE, SqliteDatabase.FILE + "-wal")) {
                  Files.copy(folder.resolve(name), left.resolve(name));
                }
                byte[] torn = new byte[random.nextInt(6_000)];
                random.nextBytes(torn);
                Files.write(
                    left.resolve(SqliteDatabase.FILE + "-wal"), torn, StandardOpenOption.APPEND);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              session.prepare("ROLLBACK TO one").executeUpdate();
              return promised;
            });
  }

  private void check(Path left, Map<String, Integer> promised) throws Exception {
    try (SqliteRig rig = new SqliteRig(left, day)) {
      Map<String, Integer> due = new HashMap<>();
      for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
        for (Due one : rig.outbox().due(OutboxReader.SHOP, Shards.of(shard), day.millis(), 1_000)) {
          due.put(one.delivery().id(), one.delivery().version());
        }
      }
      assertThat(due.keySet()).containsAll(promised.keySet());
      promised.forEach((id, version) -> assertThat(due.get(id)).isGreaterThanOrEqualTo(version));
    }
    Path file = left.resolve(SqliteDatabase.FILE);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        ResultSet row = connection.createStatement().executeQuery("PRAGMA integrity_check")) {
      assertThat(row.getString(1)).isEqualTo("ok");
    }
  }
}
