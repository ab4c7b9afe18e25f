package gilmok.log;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A segment's file name and the header at its start; see the package's page. */
final class SegmentFormat {
  static final int HEADER_BYTES = 64;
  static final int VERSION = 1;
  static final String SUFFIX = ".log";
  static final String PREPARED_PREFIX = "prepared-";

  private static final long MAGIC = 0x47494C4D4F4B4C47L; // "GILMOKLG"
  private static final int CRC_AT = 36;

  private SegmentFormat() {}

  /** What a segment's header says. The epoch is random and tells its batches from any others. */
  record Header(NodeId node, long epoch, long createdAtMillis) {}

  static String fileName(long firstSequence) {
    return "%020d%s".formatted(firstSequence, SUFFIX);
  }

  static boolean isSegment(String fileName) {
    return fileName.matches("\\d{20}\\.log");
  }

  static long firstSequence(String fileName) {
    return Long.parseLong(fileName, 0, fileName.length() - SUFFIX.length(), 10);
  }

  static void write(Header header, ByteBuffer target) {
    int start = target.position();
    target
        .putLong(MAGIC)
        .putInt(VERSION)
        .putLong(header.node().bits())
        .putLong(header.epoch())
        .putLong(header.createdAtMillis())
        .putInt(checksum(target, start));
    target.position(start + HEADER_BYTES);
  }

  static Header read(ByteBuffer source, Path file) throws DamagedLogException {
    String wrong = check(source);
    if (wrong != null) {
      throw new DamagedLogException(file, 0, wrong);
    }
    return new Header(new NodeId(source.getLong(12)), source.getLong(20), source.getLong(28));
  }

  private static @Nullable String check(ByteBuffer source) {
    if (source.limit() < HEADER_BYTES || source.getLong(0) != MAGIC) {
      return "this is no segment of a Gilmok log";
    }
    if (source.getInt(8) != VERSION) {
      return "format version " + source.getInt(8) + ", but this program reads " + VERSION;
    }
    return source.getInt(CRC_AT) == checksum(source, 0) ? null : "the header's checksum is wrong";
  }

  private static int checksum(ByteBuffer buffer, int start) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().position(start).limit(start + CRC_AT));
    return (int) crc.getValue();
  }
}
