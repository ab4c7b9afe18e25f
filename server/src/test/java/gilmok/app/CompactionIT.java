package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.config.Settings;
import gilmok.observe.Meters;
import gilmok.shipped.FileLeases;
import gilmok.sinks.file.CompactionMeters;
import gilmok.sinks.file.FileCompaction;
import gilmok.sinks.file.FilesConfig;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are put together under servers that answer out of them. */
@Tag("process")
final class CompactionIT {
  private static final int FILES = 32; // so many of an hour that goes on are put together

  @TempDir Path data;
  @TempDir Path other;
  @TempDir Path files;
  private final ShippedPast past = new ShippedPast();

  @Test
  void runningServer_putsItsFilesTogether_andAnswersTheSame() throws Exception {
    try (RunningServer server = ShippedPast.start(data, files)) {
      past.ship(server, files, FILES, 1);
      assertThat(past.missing(server)).isEmpty();
    }
    try (RunningServer server = ShippedPast.start(data, files)) {
      AtomicInteger answers = new AtomicInteger();
      Program.await(
          () -> {
            assertThat(past.missing(server)).isEmpty();
            answers.incrementAndGet();
            return ShippedPast.metric(server, "gilmok_compaction_files_out_total") > 0;
          });
      assertThat(past.missing(server)).isEmpty();
      assertThat(ShippedPast.compacted(files)).isNotEmpty();
      assertThat(ShippedPast.metric(server, "gilmok_compaction_files_in_total"))
          .isGreaterThanOrEqualTo(FILES);
      assertThat(ShippedPast.metric(server, "gilmok_compaction_failures_total")).isZero();
      past.ship(server, files, 3, 1); // beside the compacted ones
      assertThat(past.missing(server)).isEmpty();
    }
  }

  /**
   * A node does not know who reads at another one. It deletes what it has replaced when a minute
   * has gone by, here by its own clock; who read the files of it reads on in the new ones.
   */
  @Test
  void twoNodesOfOneFolder_oneDeletesWhatTheOtherReads_andEachAnswerIsWhole() throws Exception {
    NodeId node;
    try (RunningServer second = ShippedPast.start(other, files)) {
      past.ship(second, files, FILES, 50);
      String name = ShippedPast.published(files).getFirst().getFileName().toString();
      node = NodeId.parse(name.substring(0, name.indexOf('-')));
    }
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger answers = new AtomicInteger();
    try (RunningServer server = ShippedPast.start(data, files);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      past.ship(server, files, 3, 1);
      List<Path> before = ShippedPast.published(files);
      Future<?> asking =
          threads.submit(
              () -> {
                while (!isOver.get()) {
                  assertThat(past.missing(server)).isEmpty();
                  answers.incrementAndGet();
                }
                return null;
              });
      AtomicLong now = new AtomicLong(System.currentTimeMillis());
      FileCompaction compaction = compaction(node, now);
      compact(compaction);
      assertThat(ShippedPast.compacted(files)).isNotEmpty();
      int during = answers.get();
      Program.await(() -> asking.isDone() || answers.get() > during + 1);
      assertThat(before).allMatch(Files::exists);
      now.addAndGet(Duration.ofMinutes(2).toMillis());
      compact(compaction); // deletes
      int after = answers.get();
      Program.await(() -> asking.isDone() || answers.get() > after + 1);
      isOver.set(true);
      asking.get();
      List<Path> gone = before.stream().filter(Files::notExists).toList();
      assertThat(gone)
          .hasSizeGreaterThanOrEqualTo(FILES)
          .allMatch(file -> file.getFileName().toString().startsWith(node.toString()));
      Reply metrics = server.get("/metrics");
      assertThat(metrics.body())
          .contains("gilmok_history_questions_total{kind=\"trace\",result=\"failed\"} 0");
    }
    try (RunningServer second = ShippedPast.start(other, files)) {
      assertThat(past.missing(second)).isEmpty();
    }
  }

  private FileCompaction compaction(NodeId node, AtomicLong now) {
    Settings settings =
        new Settings(
            Map.of("sinks.files.folder", files.toString(), "sinks.files.format", "parquet"));
    return new FileCompaction(
        FilesConfig.from(settings, "files"),
        other,
        node,
        new FileDisk(),
        () -> Instant.ofEpochMilli(now.get()),
        new FileLeases(),
        new ReentrantLock(),
        () -> Long.MAX_VALUE,
        new CompactionMeters(new Meters(), "files"));
  }

  private static void compact(FileCompaction compaction) throws IOException, InterruptedException {
    while (compaction.pass() == 0) {
      // The next hour.
    }
  }
}
