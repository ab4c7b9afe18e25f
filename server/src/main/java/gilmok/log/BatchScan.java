package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sound batches of a segment: those with its epoch and a correct checksum.
 *
 * <p>Not thread-safe: owned by the thread that opened the file.
 */
final class BatchScan {
  private final SegmentWindow bytes;
  private final long epoch;
  private final Path path;
  private final CRC32C crc = new CRC32C();

  BatchScan(SegmentWindow bytes, long epoch, Path path) {
    this.bytes = bytes;
    this.epoch = epoch;
    this.path = path;
  }

  /**
   * The batches that follow the segment's header without a gap.
   *
   * @param end where the next batch would begin
   * @param next the first sequence of that next batch
   * @param marked whether the last batch is a footer
   * @param counts the records in these batches
   * @param all the records since the log was begun; null when no footer says so
   */
  record Found(
      long end, long next, boolean marked, StreamCounts counts, @Nullable StreamCounts all) {}

  /**
   * Reads the batches after the header, up to the first place without a sound one.
   *
   * @param firstSequence the sequence that the first batch must have
   */
  Found readAll(long firstSequence) throws IOException {
    long end = SegmentFormat.HEADER_BYTES;
    long next = firstSequence;
    boolean marked = false;
    StreamCounts counts = new StreamCounts();
    StreamCounts all = null;
    for (int length = lengthAt(end); length > 0; length = lengthAt(end)) {
      if (firstSequence(end) != next) {
        throw new DamagedLogException(path, end, "a batch out of sequence, " + next + " expected");
      }
      int records = records(end);
      StreamCounts footer = records == 0 ? footer(end, length) : null;
      marked = footer != null;
      if (footer != null) {
        all = footer;
      } else if (records > 0) {
        StreamCounts batch = count(end, length, records);
        counts.add(batch);
        if (all != null) {
          all.add(batch);
        }
      }
      next += records;
      end += length;
    }
    return new Found(end, next, marked, counts, all);
  }

  /** The length of the sound batch that begins at {@code at}; 0 when there is none. */
  int lengthAt(long at) throws IOException {
    if (at + BatchFormat.HEADER_BYTES > bytes.size()
        || bytes.getLong(at + BatchFormat.EPOCH_AT) != epoch) {
      return 0;
    }
    int length = bytes.getInt(at + BatchFormat.LENGTH_AT);
    if (length < BatchFormat.HEADER_BYTES || length > bytes.size() - at) {
      return 0;
    }
    bytes.prefer(at, length);
    int said = bytes.getInt(at + BatchFormat.CRC_AT);
    crc.reset();
    bytes.add(at + BatchFormat.EPOCH_AT, length - BatchFormat.EPOCH_AT, crc);
    return (int) crc.getValue() == said ? length : 0;
  }

  /** The first sequence of the batch that begins at {@code at}. */
  long firstSequence(long at) throws IOException {
    return bytes.getLong(at + BatchFormat.FIRST_SEQUENCE_AT);
  }

  /** How many records the batch that begins at {@code at} has. */
  int records(long at) throws IOException {
    return bytes.getInt(at + BatchFormat.COUNT_AT);
  }

  /** Where the first sound batch at or after {@code from} begins; -1 when there is none. */
  long nextSound(long from) throws IOException {
    return nextSound(from, bytes.endOfBytes(from));
  }

  /**
   * Whether a later batch recorded the damaged place as durable, which proves that this is no torn
   * tail.
   *
   * @param end a place where no sound batch begins
   * @param next the first sequence that a batch there would have
   */
  boolean isDurableBehind(long end, long next) throws IOException {
    long dirtyEnd = bytes.endOfBytes(end);
    for (long at = nextSound(end + 1, dirtyEnd); at >= 0; at = nextSound(at + 1, dirtyEnd)) {
      if (bytes.getLong(at + BatchFormat.DURABLE_THROUGH_AT) >= next) {
        return true;
      }
    }
    return false;
  }

  private long nextSound(long from, long before) throws IOException {
    long at = from;
    while (true) {
      long epochAt = bytes.find(epoch, at + BatchFormat.EPOCH_AT, before);
      if (epochAt < 0) {
        return -1;
      }
      at = epochAt - BatchFormat.EPOCH_AT;
      if (lengthAt(at) > 0) {
        return at;
      }
      at++;
    }
  }

  /** The counts in the footer that begins at {@code at}; null when it has none. */
  @Nullable StreamCounts footer(long at, int length) throws IOException {
    return length <= SegmentFooter.BYTES_MAX
        ? SegmentFooter.counts(bytes.copy(at, length), 0, length, path)
        : null;
  }

  /**
   * The counts in the footer at the head of a segment: the records before it. Null when it has
   * none.
   */
  static @Nullable StreamCounts head(Disk disk, Segments.Segment segment) throws IOException {
    try (Disk.File file = disk.openForReading(segment.path())) {
      if (file.size() < SegmentFormat.HEADER_BYTES + BatchFormat.HEADER_BYTES) {
        return null;
      }
      SegmentWindow bytes =
          new SegmentWindow(file, SegmentFormat.HEADER_BYTES + SegmentFooter.BYTES_MAX);
      SegmentFormat.Header header =
          SegmentFormat.read(bytes.copy(0, SegmentFormat.HEADER_BYTES), segment.path());
      BatchScan scan = new BatchScan(bytes, header.epoch(), segment.path());
      int length = scan.lengthAt(SegmentFormat.HEADER_BYTES);
      return length > 0 && scan.records(SegmentFormat.HEADER_BYTES) == 0
          ? scan.footer(SegmentFormat.HEADER_BYTES, length)
          : null;
    }
  }

  /** The records of a batch, by stream. */
  StreamCounts count(long at, int length, int records) throws IOException {
    StreamCounts counts = new StreamCounts();
    long frameAt = at + BatchFormat.HEADER_BYTES;
    long end = at + length;
    for (int i = 0; i < records; i++) {
      int frame = frameAt + RecordFrame.BYTES <= end ? bytes.getInt(frameAt) : 0;
      frameAt += RecordFrame.BYTES + RecordFrame.length(frame);
      if (!RecordFrame.isSound(frame) || frameAt > end) {
        throw new DamagedLogException(
            path, at, "a record without a known stream or longer than its batch");
      }
      counts.add(RecordFrame.stream(frame));
    }
    return counts;
  }
}
