package gilmok.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The header of a batch, the records that one fsync made durable; see the package's page. */
final class BatchFormat {
  static final int HEADER_BYTES = 48;

  static final int LENGTH_AT = 0;
  static final int CRC_AT = 4;
  static final int EPOCH_AT = 8;
  static final int FIRST_SEQUENCE_AT = 16;
  static final int TIME_AT = 24;
  static final int DURABLE_THROUGH_AT = 32;
  static final int COUNT_AT = 40;
  static final int FLAGS_AT = 44;

  private BatchFormat() {}

  /**
   * Puts the header in front of a payload that is already in the buffer.
   *
   * @param batch from 0: room for the header, then the payload up to {@code length}
   */
  static void seal(
      ByteBuffer batch,
      int length,
      long epoch,
      long firstSequence,
      long timeMillis,
      long durableThrough,
      int count,
      CRC32C crc) {
    batch
        .putInt(LENGTH_AT, length)
        .putLong(EPOCH_AT, epoch)
        .putLong(FIRST_SEQUENCE_AT, firstSequence)
        .putLong(TIME_AT, timeMillis)
        .putLong(DURABLE_THROUGH_AT, durableThrough)
        .putInt(COUNT_AT, count)
        .putInt(FLAGS_AT, 0);
    batch.putInt(CRC_AT, checksum(batch, 0, length, crc));
  }

  /** The checksum over all of a batch but its length and the checksum itself. */
  static int checksum(ByteBuffer buffer, int start, int length, CRC32C crc) {
    crc.reset();
    int limit = buffer.limit();
    int position = buffer.position();
    buffer.limit(start + length).position(start + EPOCH_AT);
    crc.update(buffer);
    buffer.limit(limit).position(position);
    return (int) crc.getValue();
  }
}
