package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What a test opens logs with: a disk, a clock that it sets, and the failures that were reported.
 */
final class LogRig {
  /** Segments of 8 KiB, groups of 2 KiB, room for 1000 segments; nothing is deleted for its age. */
  static final LogConfig SMALL =
      new LogConfig(8192, 2048, 50, 1000 * 8192, Duration.ofDays(1), 5000, Duration.ofDays(1));

  /** Segments are prepared without pauses, retries come at once, and the housekeeper sleeps. */
  static final LogWaits QUICK = new LogWaits(0, 1, 3_600_000);

  static final NodeId NODE = new NodeId(42);

  final Disk disk;
  final Path data;
  final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  final AtomicLong now = new AtomicLong(Instant.parse("2026-03-01T09:00:00Z").toEpochMilli());
  final InstantSource clock = () -> Instant.ofEpochMilli(now.get());

  LogRig(Disk disk, Path data) {
    this.disk = disk;
    this.data = data;
  }

  /** A rig with its disk in memory. */
  LogRig() {
    this(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot(), Path.of("/data"));
  }

  Log open() throws IOException, InterruptedException {
    return open(SMALL);
  }

  Log open(LogConfig config) throws IOException, InterruptedException {
    return open(config, NODE);
  }

  Log open(LogConfig config, NodeId node) throws IOException, InterruptedException {
    LogContext context =
        new LogContext(disk, clock, new Random(), Records.KEYS, LogMeter.NONE, failures::add);
    return Log.open(config, context, data, node, QUICK);
  }

  /** The end of every log test: no failure was reported, and the files are sound. */
  void checkSound() throws IOException {
    assertThat(failures).isEmpty();
    LogIntegrity.check(disk, data);
  }

  static void awaitReady(Log log) {
    await(log::isNextSegmentReady);
  }

  static void await(BooleanSupplier condition) {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited 20 s").isLessThan(giveUp);
      LockSupport.parkNanos(50_000);
    }
  }
}
