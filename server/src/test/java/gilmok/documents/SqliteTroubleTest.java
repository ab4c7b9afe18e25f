package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recovery from errors of SQLite. Each error is caused for real; once its cause has gone, reads and
 * writes must work again by themselves.
 */
@Tag("unit")
final class SqliteTroubleTest {
  private static final String INSERT = "INSERT INTO texts (n, text) VALUES (?, zeroblob(?))";
  private static final String COUNT = "SELECT count(*) FROM texts";

  /**
   * Makes inserts of n from 100 fail and rolls back the whole transaction, as SQLite may on a full
   * disk.
   */
  private static final String TRIGGER =
      "CREATE TRIGGER trouble BEFORE INSERT ON texts WHEN new.n >= 100"
          + " BEGIN SELECT RAISE(ROLLBACK, 'trouble'); END";

  private static final List<List<String>> TABLE =
      List.of(List.of("CREATE TABLE texts (n INTEGER PRIMARY KEY, text BLOB NOT NULL)"));

  @TempDir Path folder;
  private Meters meters = new Meters();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private SqliteDatabase database;

  @BeforeEach
  void open() throws IOException {
    database = open(Duration.ofSeconds(5));
  }

  @AfterEach
  void end() throws IOException {
    threads.shutdownNow();
    database.close();
    meters.close();
  }

  private void openAgain(Duration timeout) throws IOException {
    meters.close();
    meters = new Meters();
    database = open(timeout);
  }

  private SqliteDatabase open(Duration timeout) throws IOException {
    return SqliteDatabase.open(
        folder,
        new SqliteConfig(1000, 2, timeout, Duration.ZERO),
        meters,
        TABLE,
        SqliteSource.Folder.open(folder));
  }

  @Test
  void write_afterTheFileWasFull_worksAgain() throws Exception {
    assertThat(wrote(1)).isOne();
    Integer pages = database.read(session -> session.number("PRAGMA page_count"));
    database.write(session -> set(session, "PRAGMA max_page_count=" + (pages + 2)));
    assertThatThrownBy(() -> database.write(session -> insert(session, 2, 1 << 20)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("full");
    awaitWritten(3);
    assertThat(count()).isEqualTo(2);
  }

  /**
   * SQLite creates its write-ahead log anew for a new connection. It forces the log's name to disk
   * only if it can open the folder, and reports success either way. So we force the name ourselves,
   * and must write nothing before that has succeeded.
   */
  @Test
  void write_onANewConnection_isRefusedUntilTheNameOfTheLogIsDurable() throws Exception {
    database.close();
    AtomicInteger forced = new AtomicInteger();
    AtomicBoolean fails = new AtomicBoolean();
    SqliteSource.Folder names =
        new SqliteSource.Folder() {
          @Override
          public void force() throws IOException {
            if (fails.get()) {
              throw new IOException("the folder cannot be forced");
            }
            forced.incrementAndGet();
          }

          @Override
          public void close() {
            forced.set(-1);
          }
        };
    meters.close();
    meters = new Meters();
    database =
        SqliteDatabase.open(
            folder,
            new SqliteConfig(1000, 2, Duration.ofSeconds(5), Duration.ZERO),
            meters,
            TABLE,
            names);
    assertThat(wrote(1)).isOne();
    assertThat(wrote(2)).isOne();
    assertThat(forced).as("once for a connection").hasValue(1);
    fails.set(true);
    Damaged.by(folder, TRIGGER);
    assertThatThrownBy(() -> wrote(100)).as("ends the connection").isInstanceOf(IOException.class);
    assertThatThrownBy(() -> wrote(3)).hasMessageContaining("cannot be forced");
    assertThat(count()).as("nothing of it is written").isEqualTo(2);
    await(() -> String.valueOf(database.fault()).contains("cannot be forced"));
    fails.set(false);
    awaitWritten(3);
    assertThat(forced.get()).isGreaterThan(1);
    assertThat(count()).isEqualTo(3);
    database.close();
    assertThat(forced).as("given back").hasValue(-1);
    openAgain(Duration.ofSeconds(5));
  }

  @Test
  void write_afterTheCommitHasFailed_worksAgain() throws Exception {
    Damaged.by(
        folder,
        "CREATE TABLE others (n INTEGER REFERENCES texts DEFERRABLE INITIALLY" + " DEFERRED)");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () -> database.write(session -> set(session, "INSERT INTO others VALUES (9)")))
          .isInstanceOf(IOException.class);
    }
    awaitWritten(1);
  }

  @Test
  void write_whenSqliteTakesBackTheTransaction_failsAllOfTheGroupAndNoneIsWritten()
      throws Exception {
    Damaged.by(folder, TRIGGER);
    CountDownLatch go = hold();
    Future<Integer> before = threads.submit(() -> database.write(s -> insert(s, 1, 1)));
    awaitQueued(1);
    Future<Integer> bad = threads.submit(() -> database.write(s -> insert(s, 100, 1)));
    awaitQueued(2);
    Future<Integer> after = threads.submit(() -> database.write(s -> insert(s, 2, 1)));
    awaitQueued(3);
    go.countDown();
    for (Future<Integer> one : List.of(before, bad, after)) {
      assertThatThrownBy(one::get).hasCauseInstanceOf(IOException.class);
    }
    assertThat(count()).as("none half, none alone").isZero();
    awaitWritten(1);
    awaitWritten(2);
    assertThatThrownBy(() -> wrote(101)).isInstanceOf(IOException.class);
    Damaged.by(folder, "DROP TRIGGER trouble");
    awaitWritten(101);
  }

  @Test
  void write_thatThrowsAnError_isAnswered_andHarmsNoOther() throws Exception {
    assertThat(wrote(1)).isOne();
    CountDownLatch go = hold();
    Future<Integer> before = threads.submit(() -> database.write(s -> insert(s, 2, 1)));
    awaitQueued(1);
    Future<Integer> error =
        threads.submit(
            () ->
                database.write(
                    session -> {
                      insert(session, 3, 1);
                      ResultSet left = session.prepare(COUNT).executeQuery();
                      throw new StackOverflowError("with this open: " + left);
                    }));
    awaitQueued(2);
    Future<Integer> closed =
        threads.submit(
            () ->
                database.write(
                    session -> {
                      // The driver, too, closes a statement after a disk error.
                      session.prepare(INSERT).close();
                      throw new SQLException("a failed disk");
                    }));
    awaitQueued(3);
    Future<Integer> after = threads.submit(() -> database.write(s -> insert(s, 4, 1)));
    awaitQueued(4);
    go.countDown();
    assertThat(before.get()).isOne();
    assertThat(after.get()).isOne();
    assertThatThrownBy(error::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(closed::get).hasCauseInstanceOf(IOException.class);
    assertThat(count()).isEqualTo(3);
  }

  @Test
  void write_whileTheFileIsReadOnly_saysSo_andWorksAgain() throws Exception {
    database.write(session -> set(session, "PRAGMA query_only=1"));
    assertThatThrownBy(() -> wrote(1)).isInstanceOf(IOException.class);
    awaitWritten(1);
  }

  @Test
  void fault_whileAnotherProgramHoldsTheLock_isNamed_andGoesWithoutAWrite() throws Exception {
    database.close();
    openAgain(Duration.ofMillis(50));
    try (SqliteSession other = SqliteSession.toWrite(file(), Duration.ofSeconds(5))) {
      other.begin();
      assertThatThrownBy(() -> wrote(1)).isInstanceOf(IOException.class);
      await(() -> String.valueOf(database.fault()).contains("locked"));
      other.prepare("ROLLBACK").execute();
    }
    await(() -> database.fault() == null);
    awaitWritten(1);
  }

  @Test
  void write_whenNoOtherConnectionCanBeOpened_failsUntilOneCan() throws Exception {
    assertThat(wrote(1)).isOne();
    Path away = folder.resolveSibling(folder.getFileName() + "-away");
    Damaged.by(folder, TRIGGER);
    Files.move(folder, away);
    try {
      assertThatThrownBy(() -> wrote(100)).isInstanceOf(IOException.class);
      await(() -> String.valueOf(database.fault()).contains("open"));
      assertThatThrownBy(() -> wrote(2)).isInstanceOf(IOException.class);
    } finally {
      Files.move(away, folder);
    }
    await(() -> database.fault() == null);
    awaitWritten(2);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void read_thatThrowsWhateverItBe_leavesNoConnectionBehind() throws Exception {
    assertThat(wrote(1)).isOne();
    for (int i = 0; i < 8; i++) {
      assertThatThrownBy(
              () ->
                  database.read(
                      session -> {
                        session.prepare(COUNT).close(); // as the driver does after a disk error
                        throw new SQLException("a failed disk");
                      }))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(
              () ->
                  database.read(
                      session -> {
                        ResultSet left = session.prepare(COUNT).executeQuery();
                        throw new StackOverflowError("with this open: " + left);
                      }))
          .isInstanceOf(StackOverflowError.class);
      assertThat(wrote(i + 2)).isOne();
      assertThat(count()).as("no old snapshot either").isEqualTo(i + 2);
    }
  }

  @Test
  void read_ofADamagedPage_fails_andWorksAgainWhenItIsMended() throws Exception {
    for (int i = 1; i <= 100; i++) {
      int number = i;
      database.write(session -> insert(session, number, 3000));
    }
    database.close(); // moves all of the log into the file
    byte[] sound = Files.readAllBytes(file());
    openAgain(Duration.ofSeconds(5));
    try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
      raw.seek(4096);
      raw.write(new byte[sound.length - 4096]);
    }
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(this::count).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> wrote(101)).isInstanceOf(IOException.class);
    }
    try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
      raw.write(sound);
    }
    awaitWritten(101);
    assertThat(count()).isEqualTo(101);
  }

  private Path file() {
    return folder.resolve(SqliteDatabase.FILE);
  }

  private int wrote(int n) throws Exception {
    return database.write(session -> insert(session, n, 1));
  }

  /** Waits for a write to succeed, at most the ten seconds that are promised. */
  private void awaitWritten(int n) throws Exception {
    await(
        () -> {
          try {
            return wrote(n) == 1;
          } catch (IOException notYet) {
            return false;
          }
        });
  }

  /** A condition whose check may throw. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.holds()) {
      assertThat(System.nanoTime() - end).as("in time").isNegative();
      LockSupport.parkNanos(100_000);
    }
  }

  private int count() throws Exception {
    return database.read(session -> session.number(COUNT));
  }

  private CountDownLatch hold() throws InterruptedException {
    CountDownLatch has = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    var _ =
        threads.submit(
            () ->
                database.write(
                    _ -> {
                      has.countDown();
                      return awaits(go);
                    }));
    assertThat(has.await(20, TimeUnit.SECONDS)).isTrue();
    return go;
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void awaitQueued(int count) throws Exception {
    await(
        () ->
            new String(meters.scrape(), StandardCharsets.UTF_8)
                .contains("gilmok_documents_queue_writes " + count + ".0"));
  }

  private static int insert(SqliteSession session, int n, int bytes) throws SQLException {
    PreparedStatement insert = session.prepare(INSERT);
    insert.setInt(1, n);
    insert.setInt(2, bytes);
    return insert.executeUpdate();
  }

  private static boolean set(SqliteSession session, String sql) throws SQLException {
    session.run(sql);
    return true;
  }
}
