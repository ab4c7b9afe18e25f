package gilmok.log;

import java.util.Arrays;

/**
 * The records that one request appends, in order, each with its stream and its 128-bit key.
 *
 * <p>Reused from request to request: {@link Log#append} copies what it stores. Not thread-safe:
 * owned by the thread that fills it.
 */
public final class AppendBatch {
  /** In front of every record: its stream in the upper 8 bits, its length in the lower 24. */
  static final int FRAME_BYTES = 4;

  static final int RECORD_BYTES_MAX = (1 << 24) - 1;

  private byte[] bytes = new byte[4096];
  private int size;
  private int[] ends = new int[64];
  private long[] keys = new long[128];
  private boolean[] repeats = new boolean[64];
  private int count;
  private int repeatCount;

  @SuppressWarnings("UnusedVariable") // keeps the compiler from removing loads
  private long touched;

  /** Removes all records. */
  public void clear() {
    size = 0;
    count = 0;
    repeatCount = 0;
  }

  /**
   * Adds a record. The key is the record's identity: a second record with it is a repeat and not
   * stored.
   *
   * @throws IllegalArgumentException for a record over 16 MiB
   */
  public void add(Stream stream, byte[] source, int offset, int length, long high, long low) {
    if (length > RECORD_BYTES_MAX) {
      throw new IllegalArgumentException("a record of " + length + " bytes");
    }
    ensure(size + FRAME_BYTES + length);
    BigEndian.putInt(bytes, size, stream.code() << 24 | length);
    System.arraycopy(source, offset, bytes, size + FRAME_BYTES, length);
    size += FRAME_BYTES + length;
    ends[count] = size;
    keys[2 * count] = high;
    keys[2 * count + 1] = low;
    repeats[count] = false;
    count++;
  }

  /** How many records were added. */
  public int count() {
    return count;
  }

  /** After {@link Log#append}: whether record {@code i} had been stored before. */
  public boolean isRepeat(int i) {
    return repeats[i];
  }

  /** After {@link Log#append}: how many of the records had been stored before. */
  public int repeatCount() {
    return repeatCount;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  int end(int i) {
    return ends[i];
  }

  long high(int i) {
    return keys[2 * i];
  }

  long low(int i) {
    return keys[2 * i + 1];
  }

  /** Keeps the result of {@link DedupTable#touch}. */
  void touched(long seen) {
    touched += seen;
  }

  /** Clears the repeats that an earlier append of this batch found. */
  void forgetRepeats() {
    if (repeatCount > 0) {
      Arrays.fill(repeats, 0, count, false);
      repeatCount = 0;
    }
  }

  void markRepeat(int i) {
    repeats[i] = true;
    repeatCount++;
  }

  private void ensure(int needed) {
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      keys = Arrays.copyOf(keys, 4 * count);
      repeats = Arrays.copyOf(repeats, 2 * count);
    }
  }
}
