package gilmok.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Distributes the records of a source to a few lanes, which send them to a server. All records of
 * one rider take one lane, so they stay in order. The calling thread reads; each lane has a virtual
 * thread.
 */
final class ReplayDispatcher {
  /** How long a batch that is not full is held back while pacing. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long requests in flight may take once everything is to stop. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<ReplayLane> lanes = new ArrayList<>();
  private final Poster poster;
  private final ReplayTally tally;
  private final Watch watch;

  ReplayDispatcher(int connections, int batchMax, Poster poster, ReplayTally tally, Watch watch) {
    this.poster = poster;
    this.tally = tally;
    this.watch = watch;
    for (int i = 0; i < connections; i++) {
      lanes.add(new ReplayLane(batchMax, this::isOver));
    }
  }

  /**
   * Sends everything. If reading fails, the records that were read before are still sent.
   *
   * @param schedule when each record is due; null to send as fast as the server takes them
   * @throws CommandFailure naming what was refused or cannot be read
   */
  void run(RecordingSource source, @Nullable ReplaySchedule schedule)
      throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (ReplayLane replayLane : lanes) {
      threads.add(Thread.ofVirtual().name("lane").start(() -> empty(replayLane)));
    }
    try {
      read(source, schedule);
    } finally {
      for (ReplayLane replayLane : lanes) {
        replayLane.close();
      }
      for (Thread thread : threads) {
        join(thread);
      }
    }
    switch (failure.get()) {
      case null -> {}
      case CommandFailure refused -> throw refused;
      case Throwable bug -> throw new IllegalStateException(bug);
    }
  }

  private boolean isOver() {
    return watch.isStopped() || failure.get() != null;
  }

  private void read(RecordingSource source, @Nullable ReplaySchedule schedule)
      throws IOException, InterruptedException {
    if (schedule != null) {
      schedule.start();
    }
    for (RecordingEntry entry = source.next(); entry != null && !isOver(); entry = source.next()) {
      tally.read();
      if (schedule != null) {
        waitUntil(schedule.due(entry.atMillis()));
      }
      int lane = Math.floorMod(entry.riderId().hashCode(), lanes.size());
      lanes.get(lane).add(entry, watch.nanos());
      if (schedule != null) {
        schedule.passed(entry.atMillis());
      }
    }
  }

  /** Waits until a record is due; meanwhile flushes batches that have waited long enough. */
  private void waitUntil(long due) throws InterruptedException {
    for (long now = watch.nanos(); now - due < 0 && !isOver(); now = watch.nanos()) {
      for (ReplayLane replayLane : lanes) {
        if (replayLane.isOpenSince(now - LINGER_NANOS)) {
          replayLane.flush();
        }
      }
      if (!watch.rest(Math.min(due - now, LINGER_NANOS / 4))) {
        return;
      }
    }
  }

  private void empty(ReplayLane replayLane) {
    try {
      for (UploadBatch batch = replayLane.take(); batch != null; batch = replayLane.take()) {
        poster.post(batch);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error gone) {
      failure.compareAndSet(null, gone);
    }
  }

  private void join(Thread thread) throws InterruptedException {
    while (!thread.join(Duration.ofMillis(100))) {
      if (isOver() && !thread.join(STOP_PATIENCE)) {
        thread.interrupt();
        thread.join();
        return;
      }
    }
  }
}
