package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Effects of other connections to the same file on the one that writes. */
@Tag("unit")
final class SqliteLocksTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir Path folder;
  private final Meters meters = new Meters();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private SqliteDatabase database;

  @BeforeEach
  void open() throws IOException {
    database =
        SqliteDatabase.open(
            folder,
            SqliteConfig.DEFAULTS,
            meters,
            List.of(List.of("CREATE TABLE texts (n INTEGER PRIMARY KEY, text BLOB NOT NULL)")),
            SqliteSource.Folder.open(folder));
  }

  @AfterEach
  void end() throws IOException {
    threads.shutdownNow();
    database.close();
    meters.close();
  }

  @Test
  void write_thatReadsFirstWhileAnotherHoldsTheLock_waits() throws Exception {
    SqliteSession other = SqliteSession.toWrite(file(), Duration.ofSeconds(5));
    other.begin();
    Future<Integer> waits = threads.submit(() -> database.write(SqliteLocksTest::readAndPut));
    assertThatThrownBy(() -> waits.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    other.prepare("ROLLBACK").execute();
    other.close();
    assertThat(waits.get()).isEqualTo(1);
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void write_muchForLong_theLogOfWritesBeginsAnew() throws Exception {
    int bytes = 16 * PAGE_BYTES;
    try (SqliteSession other = SqliteSession.toWrite(file(), Duration.ofSeconds(5))) {
      int pages = 0;
      int before = -1;
      for (int i = 0; pages > before; i++) {
        int n = i % 10;
        before = pages;
        assertThat(wrote(session -> put(session, n, bytes))).isEqualTo(1);
        pages = other.checkpoint(SqliteWal.Mode.NOOP).pages();
      }
      assertThat(pages).isPositive();
    }
    database.close();
    assertThat(Files.size(file())).isGreaterThan(10L * bytes);
    assertThat(folder.resolve(SqliteDatabase.FILE + "-wal")).doesNotExist();
  }

  private Path file() {
    return folder.resolve(SqliteDatabase.FILE);
  }

  private int wrote(SqliteWork<Integer> work) throws Exception {
    return database.write(work);
  }

  private static int readAndPut(SqliteSession session) throws SQLException {
    session.number("SELECT count(*) FROM texts");
    return put(session, 1, 1);
  }

  private static int put(SqliteSession session, int n, int bytes) throws SQLException {
    PreparedStatement put =
        session.prepare("INSERT OR REPLACE INTO texts (n, text) VALUES (?, zeroblob(?))");
    put.setInt(1, n);
    put.setInt(2, bytes);
    return put.executeUpdate();
  }
}
