package gilmok.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Moves records from a source to a server over a few lanes; one rider's records all go one lane, in
 * order. The calling thread reads; each lane has a virtual thread.
 */
final class ReplayDispatcher {
  /** While pacing, a batch that is not full goes after this long. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long requests in flight may take once all is to stop. */
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
   * Sends everything. What was read before something went wrong in the reading is still sent.
   *
   * @param pace when each record is due; null for as fast as the server takes them
   * @throws CommandFailure naming what was refused or cannot be read
   */
  void run(RecordingSource source, @Nullable ReplayPace pace)
      throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (ReplayLane replayLane : lanes) {
      threads.add(Thread.ofVirtual().name("lane").start(() -> empty(replayLane)));
    }
    try {
      read(source, pace);
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

  private void read(RecordingSource source, @Nullable ReplayPace pace)
      throws IOException, InterruptedException {
    long start = watch.nanos();
    for (RecordingEntry entry = source.next(); entry != null && !isOver(); entry = source.next()) {
      tally.read();
      if (pace != null) {
        waitUntil(start + pace.next(entry.atMillis()));
      }
      int lane = Math.floorMod(entry.riderId().hashCode(), lanes.size());
      lanes.get(lane).add(entry, watch.nanos());
    }
  }

  /** Waits for a record's time; batches that have waited long enough go meanwhile. */
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
