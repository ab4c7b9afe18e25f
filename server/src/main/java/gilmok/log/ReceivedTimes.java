package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.function.LongFunction;

/** When segments and records were received, from the batches' headers. Thread-safe. */
record ReceivedTimes(Disk disk, Segments segments) {
  /** The segment has no batch yet, or is gone. */
  static final long NONE = 0;

  /** When the segment's first batch was written, epoch ms; {@link #NONE} when it has none yet. */
  long first(Segments.Segment segment) throws IOException {
    int length = SegmentFormat.HEADER_BYTES + BatchFormat.HEADER_BYTES;
    try (Disk.File file = disk.openForReading(segment.path())) {
      ByteBuffer head = file.read(0, length);
      return head.limit() < length
          ? NONE
          : head.getLong(SegmentFormat.HEADER_BYTES + BatchFormat.TIME_AT);
    }
  }

  /**
   * See {@link Log#sequenceAt}.
   *
   * @param readers opens a reader of durable records at a sequence
   */
  long sequenceAt(long millis, long durable, LongFunction<LogReader> readers) throws IOException {
    Segments.Segment start = null;
    Segments.Segment next = segments.oldest();
    while (next != null && isBefore(next, millis)) {
      start = next;
      next = segments.after(next.firstSequence());
    }
    long end = next == null ? durable + 1 : Math.min(next.firstSequence(), durable + 1);
    if (start == null) {
      return end;
    }
    try (LogReader reader = readers.apply(start.firstSequence())) {
      while (reader.nextEntry() && reader.sequence() < end) {
        if (reader.receivedAtMillis() >= millis) {
          return reader.sequence();
        }
      }
    }
    return end;
  }

  private boolean isBefore(Segments.Segment segment, long millis) throws IOException {
    try {
      long first = first(segment);
      return first != NONE && first < millis;
    } catch (NoSuchFileException deleted) {
      return true;
    }
  }
}
