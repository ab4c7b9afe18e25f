package gilmok.log;

import gilmok.storage.NewerFormatException;
import gilmok.storage.NodeId;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A segment's file name and the header at its start; see the package's page. */
final class SegmentFormat {
  static final int HEADER_BYTES = 64;

  /** The format of a segment as it is written first. */
  static final int FIRST_FORMAT = 1;

  /** The format of one that was rewritten: it has frames that an earlier version does not know. */
  static final int REWRITTEN_FORMAT = 2;

  static final String SUFFIX = ".log";
  static final String PREPARED_PREFIX = "prepared-";
  static final String REWRITTEN_PREFIX = "rewritten-";

  private static final long MAGIC = 0x47494C4D4F4B4C47L; // "GILMOKLG"
  private static final int EPOCH_AT = 20;
  private static final int CRC_AT = 36;
  private static final int LOST_FROM_AT = 40;
  private static final int LOST_CRC_AT = 48;
  private static final int SKIPPED_CRC_AT = 52;

  private SegmentFormat() {}

  /** The facts in a segment's header. The epoch is random and tells its batches from any others. */
  record Header(NodeId node, long epoch, long createdAtMillis, int format) {
    /** Of a segment as it is written first. */
    Header(NodeId node, long epoch, long createdAtMillis) {
      this(node, epoch, createdAtMillis, FIRST_FORMAT);
    }
  }

  static String fileName(long firstSequence) {
    return "%020d%s".formatted(firstSequence, SUFFIX);
  }

  /** Whether that file name is a segment's: a sequence that a record can have. */
  static boolean isSegment(String fileName) {
    return fileName.matches("\\d{20}\\.log")
        && fileName.compareTo(fileName(1)) >= 0
        && fileName.compareTo(fileName(Long.MAX_VALUE)) <= 0;
  }

  static long firstSequence(String fileName) {
    return Long.parseLong(fileName, 0, fileName.length() - SUFFIX.length(), 10);
  }

  static void write(Header header, ByteBuffer target) {
    int start = target.position();
    target
        .putLong(MAGIC)
        .putInt(header.format())
        .putLong(header.node().bits())
        .putLong(header.epoch())
        .putLong(header.createdAtMillis())
        .putInt(checksum(target, start, CRC_AT));
    target.position(start + HEADER_BYTES);
  }

  /**
   * Refuses a segment of a newer format. Whatever that is, its first 40 bytes are as here, so that
   * it can be told from a damaged one.
   */
  static void refuseNewer(ByteBuffer source, Path file) throws NewerFormatException {
    if (source.limit() >= HEADER_BYTES
        && source.getLong(0) == MAGIC
        && source.getInt(8) > REWRITTEN_FORMAT
        && source.getInt(CRC_AT) == checksum(source, 0, CRC_AT)) {
      throw new NewerFormatException(file, source.getInt(8), REWRITTEN_FORMAT);
    }
  }

  static Header read(ByteBuffer source, Path file)
      throws DamagedLogException, NewerFormatException {
    refuseNewer(source, file);
    String wrong = check(source);
    if (wrong != null) {
      throw new DamagedLogException(file, 0, wrong);
    }
    return new Header(
        new NodeId(source.getLong(12)), epoch(source), source.getLong(28), source.getInt(8));
  }

  /** The epoch in a header that is not checked. */
  static long epoch(ByteBuffer source) {
    return source.getLong(EPOCH_AT);
  }

  /**
   * A whole header, with the first sequence before the segment that is lost, or was skipped.
   *
   * @param isSkipped see {@link LostRange}
   */
  static ByteBuffer headed(Header header, long lostFrom, boolean isSkipped) {
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES);
    write(header, bytes);
    bytes.putLong(LOST_FROM_AT, lostFrom);
    bytes.putInt(LOST_CRC_AT, checksum(bytes, 0, LOST_CRC_AT));
    if (isSkipped) {
      bytes.putInt(SKIPPED_CRC_AT, checksum(bytes, 0, SKIPPED_CRC_AT));
    }
    return bytes.clear();
  }

  /** The header of what takes a segment's place: it says the same of the sequences before. */
  static ByteBuffer again(Header header, ByteBuffer before, long first) {
    long lostFrom = lostFrom(before, first);
    if (lostFrom < first) {
      return headed(header, lostFrom, isSkipped(before, first));
    }
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES);
    write(header, bytes);
    return bytes.clear();
  }

  /** Whether the sequences before the segment were skipped, and are not lost. */
  static boolean isSkipped(ByteBuffer header, long firstSequence) {
    return lostFrom(header, firstSequence) < firstSequence
        && header.getInt(SKIPPED_CRC_AT) == checksum(header, 0, SKIPPED_CRC_AT);
  }

  /** The first sequence that is lost before this segment; its own first sequence when none is. */
  static long lostFrom(ByteBuffer header, long firstSequence) {
    if (header.limit() < HEADER_BYTES) {
      return firstSequence;
    }
    long lostFrom = header.getLong(LOST_FROM_AT);
    return lostFrom > 0
            && lostFrom < firstSequence
            && header.getInt(LOST_CRC_AT) == checksum(header, 0, LOST_CRC_AT)
        ? lostFrom
        : firstSequence;
  }

  private static @Nullable String check(ByteBuffer source) {
    if (source.limit() < HEADER_BYTES || source.getLong(0) != MAGIC) {
      return "this is no segment of a Gilmok log";
    }
    if (source.getInt(8) < FIRST_FORMAT || source.getInt(8) > REWRITTEN_FORMAT) {
      return "its header names format " + source.getInt(8);
    }
    return source.getInt(CRC_AT) == checksum(source, 0, CRC_AT)
        ? null
        : "the header's checksum is wrong";
  }

  private static int checksum(ByteBuffer buffer, int start, int length) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().clear().position(start).limit(start + length));
    return (int) crc.getValue();
  }
}
