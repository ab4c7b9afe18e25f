package gilmok.transfer;

import gilmok.auth.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * A checksum of a set of records that does not depend on their order: the sum of the first eight
 * bytes of each record's SHA-256, as a number of 64 bits that overflows. Two sets that differ in a
 * record have the same sum by chance only, once in 2^64. Not thread-safe.
 */
public final class RecordSum {
  private final MessageDigest digest = Sha256.digest();
  private long sum;

  /** Adds a record. */
  public void add(byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
    sum += ByteBuffer.wrap(digest.digest()).getLong();
  }

  /** Adds a record. */
  public void add(byte[] record) {
    add(record, 0, record.length);
  }

  /** Adds the sum of other records. */
  public void add(long other) {
    sum += other;
  }

  /** The sum so far. */
  public long value() {
    return sum;
  }

  /** A sum as 16 hexadecimal digits. */
  public static String text(long sum) {
    return String.format("%016x", sum);
  }
}
