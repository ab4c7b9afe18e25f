package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes for which no thread waits. */
@Tag("unit")
final class SqliteLaterTest {
  private static final List<List<String>> TABLE = List.of(List.of("CREATE TABLE t (n INTEGER)"));
  private static final String INSERT = "INSERT INTO t (n) VALUES (?)";

  @TempDir Path folder;
  private Meters meters;
  private SqliteDatabase database;

  @BeforeEach
  void open() throws IOException {
    open(SqliteConfig.DEFAULTS);
  }

  private void open(SqliteConfig config) throws IOException {
    meters = new Meters();
    database =
        SqliteDatabase.open(folder, config, meters, TABLE, SqliteSource.Folder.open(folder));
  }

  @AfterEach
  void close() throws IOException {
    database.close();
    meters.close();
  }

  @Test
  void writeLater_isCommittedWhenItsFutureIsComplete() throws Exception {
    CompletableFuture<Integer> seen = later(1).thenApply(_ -> counted());
    assertThat(seen.get(20, TimeUnit.SECONDS)).isOne();
    assertThat(metric("gilmok_waiting{on=\"documents-commit\"}")).isZero();
    assertThat(metric("gilmok_wait_seconds_count{on=\"documents-commit\"}")).isOne();
  }

  @Test
  void writeLater_thatFails_saysSo_andTheOthersAreWritten() throws Exception {
    CountDownLatch go = hold();
    CompletableFuture<Integer> first = later(1);
    CompletableFuture<Integer> fails =
        database.writeLater(
            session -> {
              session.update(INSERT, 2);
              throw new SQLException("told to fail");
            });
    CompletableFuture<Integer> last = later(3);
    go.countDown();
    assertThat(first.get(20, TimeUnit.SECONDS)).isOne();
    assertThat(last.get(20, TimeUnit.SECONDS)).isOne();
    assertThatThrownBy(() -> fails.get(20, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessage("not written: told to fail");
    assertThat(counted()).isEqualTo(2);
  }

  @Test
  void writeLater_cancelledBeforeItsTurn_neverHappens() throws Exception {
    CountDownLatch go = hold();
    CompletableFuture<Integer> cancelled = later(1);
    assertThat(cancelled.cancel(false)).isTrue();
    CompletableFuture<Integer> last = later(2);
    go.countDown();
    assertThat(last.get(20, TimeUnit.SECONDS)).isOne();
    assertThat(counted()).isOne();
    assertThat(metric("gilmok_documents_busy_total{cause=\"too-slow\"}")).isOne();
  }

  @Test
  void writeLater_afterClosing_isRefused() throws Exception {
    database.close();
    assertThatThrownBy(() -> later(1).get(20, TimeUnit.SECONDS))
        .cause()
        .isSameAs(DocumentsBusy.CLOSED);
    open();
    assertThat(counted()).isZero();
  }

  @Test
  void interval_afterAGroupOfSeveral_theNextShareACommit_andClosingEndsTheWait() throws Exception {
    groupOfTwoAtAnIntervalLongerThanTheTest();
    assertThat(metric("gilmok_documents_group_writes_count")).isEqualTo(2);
    CompletableFuture<Integer> first = later(3);
    CompletableFuture<Integer> last = later(4);
    database.close();
    assertThat(first).isCompletedWithValue(1);
    assertThat(last).isCompletedWithValue(1);
    assertThat(metric("gilmok_documents_group_writes_count")).isEqualTo(3);
    open();
  }

  @Test
  void interval_ofACrowd_isNotWaitedFor() throws Exception {
    groupOfTwoAtAnIntervalLongerThanTheTest();
    List<CompletableFuture<Integer>> crowd =
        IntStream.range(0, SqliteWriter.CROWD).mapToObj(this::later).toList();
    for (CompletableFuture<Integer> one : crowd) {
      assertThat(one.get(20, TimeUnit.SECONDS)).isOne();
    }
  }

  private void groupOfTwoAtAnIntervalLongerThanTheTest() throws Exception {
    database.close();
    Duration timeout = Duration.ofSeconds(30);
    open(new SqliteConfig(1000, 1, timeout, Duration.ofHours(1)));
    CountDownLatch go = hold();
    CompletableFuture<Integer> first = later(1);
    CompletableFuture<Integer> last = later(2);
    go.countDown();
    assertThat(first.get(20, TimeUnit.SECONDS)).isOne();
    assertThat(last.get(20, TimeUnit.SECONDS)).isOne();
  }

  private CompletableFuture<Integer> later(int number) {
    return database.writeLater(session -> session.update(INSERT, number));
  }

  /** Occupies the writer until the latch is down. */
  private CountDownLatch hold() throws InterruptedException {
    CountDownLatch has = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    var _ =
        database.writeLater(
            _ -> {
              has.countDown();
              try {
                return go.await(20, TimeUnit.SECONDS);
              } catch (InterruptedException nobodyMay) {
                throw new IllegalStateException(nobodyMay);
              }
            });
    assertThat(has.await(20, TimeUnit.SECONDS)).isTrue();
    return go;
  }

  private int counted() {
    try {
      return database.read(session -> session.number("SELECT count(*) FROM t"));
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private double metric(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }
}
