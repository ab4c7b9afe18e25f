package gilmok.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Deletes the oldest segments: when every cursor has passed them and either they are older than the
 * retention or their room is needed. Thread-safe.
 */
final class Retention {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  private final Disk disk;
  private final Path folder;
  private final LogConfig config;
  private final Segments segments;
  private final LongSupplier passedByAll;
  private final InstantSource clock;
  private boolean namesForced = true;

  Retention(
      LogContext context,
      Path folder,
      LogConfig config,
      Segments segments,
      LongSupplier passedByAll) {
    this.disk = context.disk();
    this.folder = folder;
    this.config = config;
    this.segments = segments;
    this.passedByAll = passedByAll;
    this.clock = context.clock();
  }

  /** Deletes what is too old. */
  synchronized void deleteOld() throws IOException {
    long tooOld = clock.millis() - config.retention().toMillis();
    for (Segments.Segment oldest = segments.oldest(); oldest != null; oldest = segments.oldest()) {
      Segments.Segment next = segments.after(oldest.firstSequence());
      if (next == null || startMillis(next) > tooOld || !deleteIfPassed(oldest, next)) {
        return;
      }
    }
  }

  /** Deletes until another segment fits under the bound; false when what is left must stay. */
  synchronized boolean makeRoom() {
    try {
      while (segments.bytes() + config.segmentBytes() > config.bytesMax()) {
        Segments.Segment oldest = segments.oldest();
        Segments.Segment next = oldest == null ? null : segments.after(oldest.firstSequence());
        if (oldest == null || next == null || !deleteIfPassed(oldest, next)) {
          return false;
        }
      }
      return true;
    } catch (IOException cannot) {
      LOGGER.log(Level.WARNING, "a segment cannot be deleted: {0}", cannot.getMessage());
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

  private boolean deleteIfPassed(Segments.Segment oldest, Segments.Segment next)
      throws IOException {
    if (passedByAll.getAsLong() < next.firstSequence() - 1) {
      return false;
    }
    forceNames();
    // Readers must not be sent to a file that is going.
    segments.remove(oldest.firstSequence());
    try {
      namesForced = false;
      disk.delete(oldest.path());
    } catch (NoSuchFileException gone) {
      // Somebody else's doing; it is what was wanted.
    } catch (IOException cannot) {
      segments.add(oldest.firstSequence(), oldest.bytes());
      throw cannot;
    }
    forceNames();
    return true;
  }

  /** One at a time: after a power loss no older one may be there with a younger one missing. */
  private void forceNames() throws IOException {
    if (!namesForced) {
      disk.forceFolder(folder);
      namesForced = true;
    }
  }

  /** When the segment's first batch was written; now when it has none yet. */
  private long startMillis(Segments.Segment segment) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(SegmentFormat.HEADER_BYTES + BatchFormat.HEADER_BYTES);
    try (Disk.File file = disk.openForReading(segment.path())) {
      while (head.hasRemaining() && file.read(head, head.position()) >= 0) {
        // Until the end.
      }
    }
    long millis =
        head.hasRemaining() ? 0 : head.getLong(SegmentFormat.HEADER_BYTES + BatchFormat.TIME_AT);
    return millis == 0 ? clock.millis() : millis;
  }
}
