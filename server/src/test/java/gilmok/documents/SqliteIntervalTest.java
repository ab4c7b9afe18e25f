package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits are an interval apart, which is longer here than the test. */
@Tag("unit")
final class SqliteIntervalTest {
  private static final List<List<String>> TABLE = List.of(List.of("CREATE TABLE t (n INTEGER)"));
  private static final SqliteConfig SLOW =
      new SqliteConfig(1000, 1, Duration.ofSeconds(30), Duration.ofHours(1));

  @TempDir Path folder;
  private final Meters meters = new Meters();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private SqliteDatabase database;
  private boolean isClosed;

  @BeforeEach
  void open() throws Exception {
    database = SqliteDatabase.open(folder, SLOW, meters, TABLE, SqliteSource.Folder.open(folder));
    writeAGroupOfTwo();
  }

  @AfterEach
  void close() throws IOException {
    if (!isClosed) {
      database.close();
    }
    threads.close();
    meters.close();
  }

  @Test
  void afterAGroupOfSeveral_theNextShareACommit_andClosingEndsTheWait() throws Exception {
    assertThat(metric("gilmok_documents_group_writes_count")).isEqualTo(2);
    List<Future<Integer>> next = List.of(write(3), write(4), write(5));
    awaitQueued(3);
    database.close();
    isClosed = true;
    for (Future<Integer> one : next) {
      assertThat(one.get()).isOne();
    }
    assertThat(metric("gilmok_documents_group_writes_count")).isEqualTo(3);
  }

  @Test
  void aCrowd_doesNotWait() throws Exception {
    List<Future<Integer>> crowd =
        IntStream.range(0, SqliteWriter.CROWD).mapToObj(this::write).toList();
    for (Future<Integer> one : crowd) {
      assertThat(one.get()).isOne();
    }
  }

  private void writeAGroupOfTwo() throws Exception {
    CountDownLatch has = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Future<Boolean> holds =
        threads.submit(
            () ->
                database.write(
                    _ -> {
                      has.countDown();
                      return await(go);
                    }));
    assertThat(await(has)).isTrue();
    List<Future<Integer>> two = List.of(write(1), write(2));
    awaitQueued(2);
    go.countDown();
    assertThat(holds.get()).isTrue();
    for (Future<Integer> one : two) {
      assertThat(one.get()).isOne();
    }
  }

  private Future<Integer> write(int number) {
    return threads.submit(() -> database.update("INSERT INTO t (n) VALUES (?)", number));
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException nobodyMay) {
      throw new IllegalStateException(nobodyMay);
    }
  }

  private void awaitQueued(int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (metric("gilmok_documents_queue_writes") != count) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(100_000);
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
