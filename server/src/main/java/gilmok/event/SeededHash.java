package gilmok.event;

import java.security.SecureRandom;

/**
 * A hash of a caller's text for tables in memory, under two random numbers of this process. So
 * nobody can choose texts that collide, as is easy with {@link String#hashCode}. Another process
 * has other hashes: never store or send one.
 *
 * <p>Eight bytes at a time are multiplied to 128 bits, whose halves are folded: the step of Wang
 * Yi's wyhash, here with a secret multiplier. From any thread.
 */
public final class SeededHash {
  private static final long SEED = new SecureRandom().nextLong();
  private static final long MULTIPLIER = new SecureRandom().nextLong() | 1;

  private SeededHash() {}

  /** The hash of these bytes, under this process's seed. */
  public static int of(byte[] bytes, int offset, int length) {
    long hash = SEED ^ length;
    int at = offset;
    int end = offset + length;
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      hash = fold(hash ^ LittleEndian.getLong(bytes, at));
    }
    long last = 0;
    for (; at < end; at++) {
      last = last << 8 | (bytes[at] & 0xff);
    }
    hash = fold(fold(hash ^ last) ^ SEED);
    return (int) (hash ^ hash >>> 32);
  }

  private static long fold(long value) {
    return value * MULTIPLIER ^ Math.unsignedMultiplyHigh(value, MULTIPLIER);
  }
}
