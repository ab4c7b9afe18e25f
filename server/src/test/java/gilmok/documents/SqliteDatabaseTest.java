package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteDatabaseTest {
  private static final List<List<String>> ONE =
      List.of(List.of("CREATE TABLE numbers (n INTEGER PRIMARY KEY)"));
  private static final List<List<String>> TWO =
      List.of(
          ONE.getFirst(),
          List.of("ALTER TABLE numbers ADD COLUMN name TEXT", "UPDATE numbers SET name = 'old'"));

  private static final String INSERT = "INSERT INTO numbers (n) VALUES (?)";
  private static final String COUNT = "SELECT count(*) FROM numbers";

  @TempDir Path folder;
  private final Meters meters = new Meters();
  private final List<Future<Boolean>> held = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void end() {
    threads.shutdownNow();
    meters.close();
  }

  @Test
  void write_isThereAfterOpeningAgain_andForNobodyElse() throws Exception {
    try (SqliteDatabase database = open(SqliteConfig.DEFAULTS, ONE)) {
      assertThat(wrote(database, session -> insert(session, 1))).isOne();
      assertThat(read(database, SqliteDatabaseTest::count)).isOne();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    try (SqliteDatabase database = open(ONE)) {
      assertThat(read(database, SqliteDatabaseTest::count)).isOne();
      assertThat(database.fault()).isNull();
    }
  }

  @Test
  void prepareAs_preparesOnEveryConnection_whatTheOtherWasAsked() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("other"));
    try (SqliteDatabase database = open(ONE);
        SqliteDatabase other =
            SqliteDatabase.open(
                elsewhere,
                SqliteConfig.DEFAULTS,
                new Meters(),
                ONE,
                SqliteSource.Folder.open(elsewhere))) {
      wrote(other, session -> insert(session, 1));
      read(other, SqliteDatabaseTest::count);

      database.prepareAs(other);

      for (int i = 0; i < SqliteConfig.DEFAULTS.readers(); i++) {
        assertThat(database.read(SqliteSession::prepared)).containsExactly(COUNT);
      }
      assertThat(database.write(SqliteSession::prepared)).contains(INSERT);
      assertThat(read(database, SqliteDatabaseTest::count)).as("nothing is written").isZero();
    }
  }

  @Test
  void open_isDurableAndLogsItsWrites() throws Exception {
    try (SqliteDatabase database = open(ONE)) {
      assertThat(wrote(database, session -> number(session, "PRAGMA synchronous"))).isEqualTo(2);
      assertThat(Files.exists(folder.resolve(SqliteDatabase.FILE + "-wal"))).isTrue();
      assertThatThrownBy(() -> database.read(session -> insert(session, 1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("readonly");
    }
  }

  @Test
  void open_anOlderFile_isBroughtUpToDate() throws Exception {
    try (SqliteDatabase database = open(ONE)) {
      database.write(session -> insert(session, 7));
    }
    try (SqliteDatabase database = open(TWO)) {
      String count = "SELECT count(*) FROM numbers WHERE n = 7 AND name = 'old'";
      assertThat(read(database, session -> number(session, count))).isOne();
    }
  }

  @Test
  void open_aNewerFile_isRefused() throws Exception {
    open(TWO).close();
    assertThatThrownBy(() -> open(ONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("newer")
        .hasMessageContaining("2")
        .hasMessageContaining(SqliteDatabase.FILE);
    open(TWO).close();
  }

  @Test
  void open_whatIsNoDatabase_isRefused() throws Exception {
    Files.writeString(file(), "no database, but long enough to be looked at as one".repeat(40));
    assertThatThrownBy(() -> open(ONE)).isInstanceOf(IOException.class);
  }

  @Test
  void write_thatFails_isTakenBackAlone() throws Exception {
    try (SqliteDatabase database = open(SqliteConfig.DEFAULTS, ONE)) {
      CountDownLatch go = hold(database);
      Future<Integer> good = threads.submit(() -> database.write(session -> insert(session, 1)));
      awaitQueued(1);
      Future<Integer> bad =
          threads.submit(
              () ->
                  database.write(
                      session -> {
                        insert(session, 2);
                        return insert(session, 1);
                      }));
      awaitQueued(2);
      Future<Integer> bug =
          threads.submit(
              () ->
                  database.write(
                      session -> {
                        insert(session, 3);
                        throw new IllegalArgumentException("a bug");
                      }));
      awaitQueued(3);
      Future<Integer> last = threads.submit(() -> database.write(session -> insert(session, 4)));
      awaitQueued(4);
      go.countDown();
      assertThat(good.get()).isOne();
      assertThat(last.get()).isOne();
      assertThatThrownBy(bad::get).hasCauseInstanceOf(IOException.class);
      assertThatThrownBy(bug::get).hasCauseInstanceOf(IllegalStateException.class);
      assertThat(read(database, SqliteDatabaseTest::count)).isEqualTo(2);
      assertThat(text())
          .as("the one that held the others, and these four together")
          .contains("gilmok_documents_group_writes_sum 5")
          .contains("gilmok_documents_group_writes_count 2");
    }
  }

  @Test
  void write_whenTheCommitFails_failsForAll() throws Exception {
    try (SqliteDatabase database =
        open(
            SqliteConfig.DEFAULTS,
            List.of(
                List.of(
                    "CREATE TABLE numbers (n INTEGER PRIMARY KEY)",
                    "CREATE TABLE others (n INTEGER REFERENCES numbers (n)"
                        + " DEFERRABLE INITIALLY DEFERRED)")))) {
      CountDownLatch go = hold(database);
      Future<Integer> good = threads.submit(() -> database.write(session -> insert(session, 1)));
      awaitQueued(1);
      Future<Boolean> bad =
          threads.submit(
              () ->
                  database.write(
                      session -> {
                        session.run("INSERT INTO others VALUES (99)");
                        return true;
                      }));
      awaitQueued(2);
      go.countDown();
      assertThatThrownBy(good::get).hasCauseInstanceOf(IOException.class);
      assertThatThrownBy(bad::get).hasCauseInstanceOf(IOException.class);
      assertThat(read(database, SqliteDatabaseTest::count)).isZero();
      assertThat(wrote(database, session -> insert(session, 5))).as("it goes on").isOne();
    }
  }

  @Test
  void write_beyondTheQueue_isRefusedByTheSameOneEachTime() throws Exception {
    SqliteConfig small = new SqliteConfig(2, 1, Duration.ofSeconds(30), Duration.ZERO);
    try (SqliteDatabase database = open(small, ONE)) {
      CountDownLatch go = hold(database);
      List<Future<Integer>> waiting = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int number = i;
        waiting.add(threads.submit(() -> database.write(session -> insert(session, number))));
        awaitQueued(i + 1);
      }
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> database.write(session -> insert(session, 9)))
            .isSameAs(DocumentsBusy.QUEUE_FULL)
            .hasNoCause();
      }
      assertThat(DocumentsBusy.QUEUE_FULL.getStackTrace()).isEmpty();
      go.countDown();
      for (Future<Integer> one : waiting) {
        assertThat(one.get()).isOne();
      }
      assertThat(text()).contains("gilmok_documents_busy_total{cause=\"queue-full\"} 3.0");
    }
  }

  @Test
  void write_thatWaitsTooLong_isGivenUpAndNeverHappens() throws Exception {
    SqliteConfig hasty = new SqliteConfig(10, 1, Duration.ofMillis(50), Duration.ZERO);
    SqliteDatabase database = open(hasty, ONE);
    CountDownLatch go = hold(database);
    assertThatThrownBy(() -> database.write(session -> insert(session, 1)))
        .isSameAs(DocumentsBusy.TOO_SLOW);
    go.countDown();
    database.close();
    try (SqliteDatabase again = open(ONE)) {
      assertThat(read(again, SqliteDatabaseTest::count)).isZero();
    }
  }

  @Test
  void read_whenNoConnectionIsFree_isRefused() throws Exception {
    SqliteConfig hasty = new SqliteConfig(10, 1, Duration.ofMillis(50), Duration.ZERO);
    try (SqliteDatabase database = open(hasty, ONE)) {
      CountDownLatch has = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      Future<Boolean> first =
          threads.submit(
              () ->
                  database.read(
                      _ -> {
                        has.countDown();
                        return await(go);
                      }));
      assertThat(await(has)).isTrue();
      assertThatThrownBy(() -> database.read(SqliteDatabaseTest::count))
          .isSameAs(DocumentsBusy.READERS_BUSY);
      go.countDown();
      assertThat(first.get()).isTrue();
      assertThat(read(database, SqliteDatabaseTest::count)).isZero();
    }
  }

  @Test
  void close_writesWhatWaits_andTakesNoMore() throws Exception {
    SqliteDatabase database = open(SqliteConfig.DEFAULTS, ONE);
    CountDownLatch go = hold(database);
    Future<Integer> waits = threads.submit(() -> database.write(session -> insert(session, 1)));
    awaitQueued(1);
    go.countDown();
    database.close();
    assertThat(waits.get()).isOne();
    assertThatThrownBy(() -> database.write(session -> insert(session, 2)))
        .isSameAs(DocumentsBusy.CLOSED);
    try (SqliteDatabase again = open(ONE)) {
      assertThat(read(again, SqliteDatabaseTest::count)).isOne();
    }
  }

  private SqliteDatabase open(List<List<String>> migrations) throws IOException {
    return SqliteDatabase.open(
        folder, SqliteConfig.DEFAULTS, new Meters(), migrations, SqliteSource.Folder.open(folder));
  }

  private SqliteDatabase open(SqliteConfig config, List<List<String>> migrations)
      throws IOException {
    return SqliteDatabase.open(
        folder, config, meters, migrations, SqliteSource.Folder.open(folder));
  }

  private static int wrote(SqliteDatabase database, SqliteWork<Integer> work) throws Exception {
    return database.write(work);
  }

  private static int read(SqliteDatabase database, SqliteWork<Integer> work) throws Exception {
    return database.read(work);
  }

  private Path file() {
    return folder.resolve(SqliteDatabase.FILE);
  }

  /** Occupies the writer with a write that waits for the returned latch. */
  private CountDownLatch hold(SqliteDatabase database) {
    CountDownLatch has = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    held.add(
        threads.submit(
            () ->
                database.write(
                    _ -> {
                      has.countDown();
                      return await(go);
                    })));
    assertThat(await(has)).isTrue();
    return go;
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void awaitQueued(int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!text().contains("gilmok_documents_queue_writes " + count + ".0")) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(100_000);
    }
  }

  private String text() {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }

  private static int insert(SqliteSession session, int number) throws SQLException {
    PreparedStatement insert = session.prepare(INSERT);
    insert.setInt(1, number);
    return insert.executeUpdate();
  }

  private static int count(SqliteSession session) throws SQLException {
    return number(session, COUNT);
  }

  private static int number(SqliteSession session, String sql) throws SQLException {
    try (ResultSet row = session.prepare(sql).executeQuery()) {
      return row.getInt(1);
    }
  }
}
