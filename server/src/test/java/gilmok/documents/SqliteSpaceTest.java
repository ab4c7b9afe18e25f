package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the room that was used once: in the file, and in its write-ahead log. */
@Tag("unit")
final class SqliteSpaceTest {
  private static final int ROWS = 400;
  private static final int ROW_BYTES = 100_000;
  private static final int STEPS_MAX = 1_000;

  @TempDir Path folder;

  private SqliteDatabase open() throws IOException {
    return SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, new Meters());
  }

  private long bytes(String name) throws IOException {
    return Files.size(folder.resolve(name));
  }

  private static void fill(SqliteDatabase database, int rows) throws Exception {
    for (int i = 0; i < rows; i++) {
      database.update(
          "INSERT INTO profiles (rider_id, json) VALUES (?, ?)", "r" + i, new byte[ROW_BYTES]);
    }
  }

  private static void empty(SqliteDatabase database) throws Exception {
    database.update("DELETE FROM profiles");
  }

  @Test
  void removed_theFileIsShortenedInSteps_butForWhatIsSoonUsedAgain() throws Exception {
    try (SqliteDatabase database = open()) {
      fill(database, ROWS);
    }
    long full = bytes(SqliteDatabase.FILE);
    assertThat(full).isGreaterThan((long) ROWS * ROW_BYTES);
    try (SqliteDatabase database = open()) {
      empty(database);
      int steps = 0;
      while (database.write(SqliteSpace::giveBack)) {
        assertThat(steps++).isLessThan(STEPS_MAX);
      }
      assertThat(steps).as("each is small").isGreaterThan(100);
    }
    assertThat(bytes(SqliteDatabase.FILE))
        .isBetween(SqliteSpace.KEPT_PAGES * 4_096L, (SqliteSpace.KEPT_PAGES + 200) * 4_096L);
    try (SqliteDatabase database = open()) {
      fill(database, ROWS / 20);
    }
    assertThat(bytes(SqliteDatabase.FILE)).isLessThan((SqliteSpace.KEPT_PAGES + 200) * 4_096L);
  }

  @Test
  void aFileOfAnEarlierVersion_isLeftAsItIs_untilItIsCompacted() throws Exception {
    try (SqliteSession old =
        SqliteSession.toWrite(folder.resolve(SqliteDatabase.FILE), Duration.ZERO)) {
      for (int version = 0; version < SqliteSchema.MIGRATIONS.size(); version++) {
        for (String statement : SqliteSchema.MIGRATIONS.get(version)) {
          old.run(statement);
        }
      }
      old.run("PRAGMA user_version=" + SqliteSchema.MIGRATIONS.size());
    }
    try (SqliteDatabase database = open()) {
      fill(database, ROWS);
      empty(database);
      fill(database, 3);
      assertThat(database.write(SqliteSpace::giveBack)).isFalse();
    }
    long before = bytes(SqliteDatabase.FILE);
    assertThat(before).isGreaterThan((long) ROWS * ROW_BYTES);
    Files.writeString(folder.resolve(SqliteCompaction.NEXT), "of one that was killed");
    SqliteCompaction.Sizes sizes = SqliteCompaction.compact(folder);
    assertThat(sizes).isEqualTo(new SqliteCompaction.Sizes(before, bytes(SqliteDatabase.FILE)));
    assertThat(sizes.after()).isLessThan(1 << 20);
    assertThat(folder.resolve(SqliteCompaction.NEXT)).doesNotExist();
    try (SqliteDatabase database = open()) {
      assertThat(database.list(row -> row.getString(1), "SELECT rider_id FROM profiles"))
          .containsExactly("r0", "r1", "r2");
      fill(database, ROWS, 3);
      database.update("DELETE FROM profiles");
      assertThat(database.write(SqliteSpace::giveBack)).as("from now on").isTrue();
    }
  }

  private static void fill(SqliteDatabase database, int rows, int from) throws Exception {
    for (int i = from; i < rows; i++) {
      database.update(
          "INSERT INTO profiles (rider_id, json) VALUES (?, ?)", "r" + i, new byte[ROW_BYTES]);
    }
  }

  /** Found bug: after a peak the log's file kept its size until the server stopped. */
  @Test
  void theLog_afterAPeak_isCutToItsUsualSize() throws Exception {
    CountDownLatch ends = new CountDownLatch(1);
    CountDownLatch reads = new CountDownLatch(1);
    try (SqliteDatabase database = open();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> reader =
          threads.submit(
              () ->
                  database.read(
                      session -> {
                        boolean _ =
                            session.first(row -> row.getInt(1), "SELECT count(*) FROM profiles")
                                != null;
                        session.run("BEGIN");
                        session.first(row -> row.getInt(1), "SELECT count(*) FROM profiles");
                        reads.countDown();
                        try {
                          ends.await();
                        } catch (InterruptedException stopped) {
                          Thread.currentThread().interrupt();
                        }
                        session.run("COMMIT");
                        return true;
                      }));
      reads.await();
      fill(database, 1_000);
      assertThat(bytes(SqliteDatabase.LOG_FILE))
          .as("a long read keeps it from beginning anew")
          .isGreaterThan(SqliteWalBounds.DEFAULTS.usualBytes() + (20L << 20));
      ends.countDown();
      assertThat(reader.get()).isTrue();
      int writes = 0;
      while (bytes(SqliteDatabase.LOG_FILE) > SqliteWalBounds.DEFAULTS.usualBytes()) {
        database.update("INSERT INTO profiles (rider_id, json) VALUES (?, ?)", "n" + writes, "{}");
        assertThat(writes++).isLessThan(100_000);
      }
    }
  }
}
