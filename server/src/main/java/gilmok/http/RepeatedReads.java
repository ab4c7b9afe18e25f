package gilmok.http;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Recognises a read that was answered less than a second before. It remembers the last read of each
 * of {@link #PLACES} places by 32 bits of its hash, so a repeat can be missed when another read
 * took its place, and is claimed wrongly once in four thousand million. Thread-safe; neither blocks
 * nor allocates.
 */
final class RepeatedReads {
  /** How many reads are remembered; a power of two. */
  static final int PLACES = 8192;

  private static final long MILLIS_MAX = 1000;
  private static final long NANOS_IN_MILLI = 1_000_000L;
  private static final long LOW = 0xffff_ffffL;

  /** The hash in the upper half, the time in milliseconds in the lower. */
  private final AtomicLongArray last = new AtomicLongArray(PLACES);

  /**
   * Notes a read; returns whether the same one was noted in the second before.
   *
   * @param key who reads
   * @param uri what is read, with its query
   * @param nanos the time, {@link System#nanoTime}
   */
  boolean isRepeat(String key, String uri, long nanos) {
    // The finalizer of MurmurHash3 (Austin Appleby), by which each bit depends on all others.
    long mixed = ((long) key.hashCode() << 32) ^ uri.hashCode();
    mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    mixed ^= mixed >>> 33;
    int place = (int) (mixed & (PLACES - 1));
    long tag = mixed & ~LOW;
    long millis = (nanos / NANOS_IN_MILLI) & LOW;
    long before = last.getAndSet(place, tag | millis);
    int age = (int) (millis - (before & LOW));
    return before != 0 && (before & ~LOW) == tag && age >= 0 && age < MILLIS_MAX;
  }
}
