package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.NewerFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The batch without records at the end of a finished segment: how many records of each stream there
 * were since the log was begun. Its last byte is never zero, so that it can be found from the end
 * of the file. See the package's page.
 */
final class SegmentFooter {
  /** The most bytes of the whole batch. */
  static final int BYTES_MAX = bytes(Stream.values().length);

  /** How many streams there were before {@link Stream#AUDIT}. */
  private static final int STREAMS_BEFORE_AUDIT = 5;

  private static final byte VERSION = 1;
  private static final int SEARCH_BYTES = 1 << 16;

  private SegmentFooter() {}

  /** The batch with its payload, not yet sealed. */
  static ByteBuffer unsealed(StreamCounts counts) {
    // An earlier version reads a log without audit records, so its footers stay as it writes them.
    int streams = counts.of(Stream.AUDIT) == 0 ? STREAMS_BEFORE_AUDIT : Stream.values().length;
    ByteBuffer batch = ByteBuffer.allocate(bytes(streams)).position(BatchFormat.HEADER_BYTES);
    for (int code = 1; code <= streams; code++) {
      batch.putLong(counts.of(Stream.of(code)));
    }
    return batch.put((byte) streams).put(VERSION).flip();
  }

  /** A whole footer; everything before it is durable. */
  static ByteBuffer batch(StreamCounts counts, long epoch, long sequence, long timeMillis) {
    ByteBuffer batch = unsealed(counts);
    BatchFormat.seal(
        batch, batch.limit(), epoch, sequence, timeMillis, sequence - 1, 0, new CRC32C());
    return batch;
  }

  private static int bytes(int streams) {
    return BatchFormat.HEADER_BYTES + 8 * streams + 2;
  }

  /**
   * Reads the counts of a sound batch without records.
   *
   * @param end where the batch ends
   * @param segment the file that it is in
   * @return null when it has no counts
   * @throws NewerFormatException when only a newer version knows their form: to count without them
   *     would be wrong for what was deleted
   */
  static @Nullable StreamCounts counts(ByteBuffer all, int batch, int end, Path segment)
      throws NewerFormatException {
    if (end - batch > BatchFormat.HEADER_BYTES && all.get(end - 1) > VERSION) {
      throw new NewerFormatException(segment, all.get(end - 1), VERSION);
    }
    int streams = end - batch > BatchFormat.HEADER_BYTES + 2 ? all.get(end - 2) : -1;
    if (streams < 0
        || streams > Stream.values().length
        || all.get(end - 1) != VERSION
        || end - batch != bytes(streams)) {
      return null;
    }
    StreamCounts counts = new StreamCounts();
    for (int i = 0; i < streams; i++) {
      counts.add(Stream.of(i + 1), all.getLong(batch + BatchFormat.HEADER_BYTES + 8 * i));
    }
    return counts;
  }

  /**
   * The footer at the end of a segment.
   *
   * @param next the sequence after it
   * @param counts null when it has none
   */
  record End(long next, @Nullable StreamCounts counts) {}

  /**
   * The counts at the end of a segment that is no longer written to.
   *
   * @param next the first sequence of the segment after it
   * @return null when it has no sound footer
   */
  static @Nullable StreamCounts find(Disk disk, Segments.Segment segment, long next)
      throws IOException {
    End end = end(disk, segment);
    return end == null || end.next() != next ? null : end.counts();
  }

  /** The footer at the end of a segment; null when it has no sound one. */
  static @Nullable End end(Disk disk, Segments.Segment segment) throws IOException {
    try (Disk.File file = disk.openForReading(segment.path())) {
      long end = endOfBytes(file);
      int streams = end < 2 ? 0 : file.read(end - 2, 1).get(0);
      if (streams < 1
          || streams > Stream.values().length
          || end < SegmentFormat.HEADER_BYTES + bytes(streams)) {
        return null;
      }
      int length = bytes(streams);
      SegmentFormat.Header header =
          SegmentFormat.read(file.read(0, SegmentFormat.HEADER_BYTES).clear(), segment.path());
      ByteBuffer batch = file.read(end - length, length).clear();
      boolean sound =
          batch.getInt(BatchFormat.LENGTH_AT) == length
              && batch.getLong(BatchFormat.EPOCH_AT) == header.epoch()
              && batch.getInt(BatchFormat.COUNT_AT) == 0
              && batch.getInt(BatchFormat.CRC_AT)
                  == BatchFormat.checksum(batch, 0, length, new CRC32C());
      long next = batch.getLong(BatchFormat.FIRST_SEQUENCE_AT);
      return sound ? new End(next, counts(batch, 0, length, segment.path())) : null;
    }
  }

  /** Where the zeros that fill the rest of the file begin. */
  private static long endOfBytes(Disk.File file) throws IOException {
    for (long end = file.size(); end > 0; ) {
      int length = (int) Math.min(SEARCH_BYTES, end);
      ByteBuffer piece = file.read(end - length, length).clear();
      for (int i = piece.limit(); i > 0; i--) {
        if (piece.get(i - 1) != 0) {
          return end - length + i;
        }
      }
      end -= length;
    }
    return 0;
  }
}
