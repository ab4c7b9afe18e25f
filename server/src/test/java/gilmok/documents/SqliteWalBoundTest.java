package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How large the write-ahead log becomes, whoever reads and writes. */
@Tag("unit")
@Timeout(120)
final class SqliteWalBoundTest {
  private static final String PUT =
      "INSERT OR REPLACE INTO profiles (rider_id, json) VALUES (?, randomblob(65536))";

  /** A read that takes some milliseconds. */
  private static final String LONG =
      "WITH RECURSIVE c (i) AS (SELECT count(*) FROM profiles UNION ALL SELECT i + 1 FROM c"
          + " WHERE i < 50000) SELECT max(i) FROM c";

  private static final SqliteConfig CONFIG =
      new SqliteConfig(100, 8, Duration.ofSeconds(2), Duration.ofMillis(2));

  @TempDir Path folder;
  private final Meters meters = new Meters();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private SqliteDatabase database;

  @BeforeEach
  void open() throws IOException {
    database = SmallLog.open(folder, CONFIG, meters);
  }

  @AfterEach
  void end() throws IOException {
    isOver.set(true);
    threads.shutdownNow();
    database.close();
    meters.close();
  }

  /** Begins a read of one state that does not end by itself. */
  private SqliteSession reader() throws Exception {
    SqliteSession reader =
        SqliteSession.toRead(folder.resolve(SqliteDatabase.FILE), Duration.ofSeconds(1));
    reader.run("BEGIN");
    int _ = reader.number("SELECT count(*) FROM profiles");
    return reader;
  }

  private void fillUntilBehind() throws Exception {
    for (int n = 0; !database.isBehind(); n++) {
      assertThat(n).isLessThan(1_000);
      database.update(PUT, "r" + n % 100);
    }
  }

  private void writeUntilNotBehind() throws Exception {
    for (int n = 0; database.isBehind(); n++) {
      assertThat(n).isLessThan(1_000);
      database.update(PUT, "r" + n % 100);
    }
  }

  @Test
  void readsThatOverlap_theLogBeginsAnewNevertheless() throws Exception {
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(
          threads.submit(
              () -> {
                while (!isOver.get()) {
                  int _ = database.<Integer>read(session -> session.number(LONG));
                }
                return null;
              }));
    }
    AtomicLong highest = new AtomicLong();
    List<Future<?>> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String name = "writer " + i + ' ';
      writers.add(
          threads.submit(
              () -> {
                for (int n = 0; n < 700; n++) {
                  database.update(PUT, name + n % 100);
                  highest.accumulateAndGet(SmallLog.bytes(folder), Math::max);
                }
                return null;
              }));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    isOver.set(true);
    for (Future<?> reader : readers) {
      reader.get();
    }
    assertThat(highest.get()).isLessThan(SmallLog.BYTES_MAX);
  }

  @Test
  void aReadThatDoesNotEnd_atTheBoundWritesWaitForIt_andGoOnAfterIt() throws Exception {
    database.close();
    SqliteWalBounds bounds = new SqliteWalBounds(1_024, 2_048, 2_560);
    database =
        SqliteDatabase.open(
            folder,
            CONFIG,
            new Meters(),
            SqliteSchema.MIGRATIONS,
            SqliteSource.Folder.open(folder),
            bounds);
    long most = bounds.max() * 4_120L;
    try (SqliteSession _ = reader()) {
      assertThatThrownBy(
              () -> {
                for (int n = 0; n < 1_000; n++) {
                  database.update(PUT, "r" + n % 100);
                }
              })
          .isSameAs(DocumentsBusy.TOO_SLOW);
      assertThat(database.isBehind()).isTrue();
      assertThat(SmallLog.bytes(folder)).isBetween(most, most + most / 4);
    }
    writeUntilNotBehind();
    database.update(PUT, "r0");
    assertThat(SmallLog.bytes(folder)).isLessThanOrEqualTo(bounds.usualBytes());
  }

  @Test
  void aCopyThatKeepsAPace_goesOnAsFastAsItCan_onceTheLogIsLarge() throws Exception {
    Path beside = Files.createDirectory(folder.resolve("copy"));
    Path copy = beside.resolve(SqliteDatabase.FILE);
    for (int n = 0; n < 100; n++) {
      database.update(PUT, "r" + n);
    }
    long hour = database.bytes() / 3_600;
    Future<?> writer =
        threads.submit(
            () -> {
              while (!isOver.get()) {
                database.update(PUT, "late");
              }
              return null;
            });
    database.copyTo(
        copy,
        new SqliteCopy.Watch() {
          @Override
          public void settled() {}

          @Override
          public void copied(long bytes, long of) {}
        },
        hour);
    isOver.set(true);
    writer.get();
    assertThat(SqliteDatabase.damage(beside)).isNull();
    writeUntilNotBehind();
  }

  @Test
  void aLargeLog_isBehind_untilItsReaderEnds() throws Exception {
    try (SqliteSession _ = reader()) {
      fillUntilBehind();
      assertThat(SmallLog.bytes(folder)).isGreaterThan(SmallLog.BOUNDS.high() * 4_096L);
    }
    long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (database.isBehind()) { // nobody has to write for it
      assertThat(System.nanoTime()).isLessThan(until);
      Thread.onSpinWait();
    }
  }
}
