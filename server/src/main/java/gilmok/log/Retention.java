package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Deletes the oldest segments when every cursor has passed them and either they are older than the
 * retention or their room is needed. For want of room, readers that are behind may be asked to give
 * up records. Thread-safe.
 */
final class Retention implements SegmentPreallocator.Room {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  private final Disk disk;
  private final Path folder;
  private final LogConfig config;
  private final Segments segments;
  private final ReceivedTimes times;
  private final Cursors cursors;
  private final LongSupplier repeats;
  private final OnDelete onDelete;
  private final InstantSource clock;
  private boolean namesForced = true;

  /** Called before a file is deleted. */
  @FunctionalInterface
  interface OnDelete {
    /** Every record before that sequence is about to be deleted. */
    void accept(long oldestSequence) throws IOException;
  }

  /**
   * @param repeats the sequence up to which the deduplication table is saved: later records must
   *     stay
   */
  Retention(
      LogContext context,
      Path folder,
      LogConfig config,
      Segments segments,
      ReceivedTimes times,
      Cursors cursors,
      LongSupplier repeats,
      OnDelete onDelete) {
    this.disk = context.disk();
    this.folder = folder;
    this.config = config;
    this.segments = segments;
    this.times = times;
    this.cursors = cursors;
    this.repeats = repeats;
    this.onDelete = onDelete;
    this.clock = context.clock();
  }

  /** Deletes the segments that are too old. */
  synchronized void deleteOld() throws IOException {
    long tooOld = clock.millis() - config.retention().toMillis();
    for (Segments.Segment oldest = segments.oldest(); oldest != null; oldest = segments.oldest()) {
      Segments.Segment next = segments.after(oldest.firstSequence());
      if (next == null || startMillis(next) > tooOld || !deleteIfPassed(oldest, next)) {
        return;
      }
    }
  }

  /** Deletes until another segment fits under the size limit; false when the rest must stay. */
  @Override
  public boolean underTheBound() throws InterruptedException {
    while (segments.bytes() + config.segmentBytes() > config.bytesMax()) {
      if (!onTheDisk()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Deletes the oldest segment if it may go, or if the readers that hold it give it up; false when
   * it must stay. Called with no lock held, as these readers have locks of their own.
   */
  @Override
  public boolean onTheDisk() throws InterruptedException {
    Segments.Segment oldest = segments.oldest();
    Segments.Segment next = oldest == null ? null : segments.after(oldest.firstSequence());
    if (oldest == null || next == null) {
      return false;
    }
    try {
      return deleteIfPassed(oldest, next)
          || (letGo(next.firstSequence() - 1) && deleteIfPassed(oldest, next));
    } catch (IOException cannot) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      LOGGER.log(
          Level.WARNING,
          "an old segment cannot be deleted and takes up disk space; retried, nothing is lost: {0}",
          cannot.getMessage());
      return false;
    }
  }

  /** When the oldest record was written, epoch ms; now when there is none. */
  long oldestMillis() {
    Segments.Segment oldest = segments.oldest();
    try {
      return oldest == null ? clock.millis() : startMillis(oldest);
    } catch (IOException deletedMeanwhile) {
      return clock.millis();
    }
  }

  /** Asks the readers that are behind to give up records, if every one of them can be asked. */
  private boolean letGo(long through) throws InterruptedException {
    if (config.whenFull() != LogConfig.WhenFull.DETACH || repeats.getAsLong() < through) {
      return false;
    }
    List<Cursor> behind = cursors.behind(through);
    if (behind.stream().anyMatch(cursor -> cursor.onFull() == null)) {
      return false;
    }
    for (Cursor cursor : behind) {
      Cursor.OnFull owner = cursor.onFull();
      try {
        if (owner == null || !owner.letGo(through)) {
          return false;
        }
      } catch (IOException | RuntimeException cannot) {
        LOGGER.log(
            Level.WARNING,
            "the log is full, and {0} cannot skip its oldest records; new records are refused: {1}",
            cursor.name(),
            cannot);
        return false;
      }
    }
    return true;
  }

  /** Deletes a segment if every cursor has passed it. True also when it is gone already. */
  private synchronized boolean deleteIfPassed(Segments.Segment oldest, Segments.Segment next)
      throws IOException {
    forceNames();
    if (!segments.has(oldest)) {
      return true;
    }
    long last = next.firstSequence() - 1;
    // Readers must not be sent to a file that is about to be deleted.
    if (!segments.removeIf(
        oldest.firstSequence(),
        () -> cursors.passedByAll() >= last && repeats.getAsLong() >= last)) {
      return false;
    }
    try {
      namesForced = false;
      onDelete.accept(next.firstSequence());
      disk.delete(oldest.path());
    } catch (NoSuchFileException gone) {
      // Somebody else deleted it, which is the result we want.
    } catch (IOException cannot) {
      segments.add(oldest);
      throw cannot;
    }
    forceNames();
    return true;
  }

  /**
   * Forced one by one: after a power loss, no older segment may be there with a younger one
   * missing.
   */
  private void forceNames() throws IOException {
    if (!namesForced) {
      disk.forceFolder(folder);
      namesForced = true;
    }
  }

  /** When the segment's first batch was written; now when it has none yet. */
  private long startMillis(Segments.Segment segment) throws IOException {
    long millis = times.first(segment);
    return millis == ReceivedTimes.NONE ? clock.millis() : millis;
  }
}
