package gilmok.positions;

import java.util.Arrays;

/**
 * Encoded positions that other nodes collected, one after the other, with the time at which each
 * arrived there.
 *
 * <p>Not thread-safe: reused by the thread that follows the other nodes.
 */
public final class PositionBatch {
  /** Nobody knows any more when the position arrived. */
  public static final long UNKNOWN = -1;

  private byte[] bytes = new byte[1 << 14];
  private int[] ends = new int[256];
  private long[] receivedAt = new long[256];
  private int count;

  /** Without positions. */
  public PositionBatch() {}

  /** Removes all positions. */
  public void clear() {
    count = 0;
  }

  /**
   * Adds a position, which is copied.
   *
   * @param receivedAt when it arrived at its node, epoch ms; or {@link #UNKNOWN}
   */
  public void add(byte[] source, int offset, int length, long receivedAt) {
    int begin = offset(count);
    if (begin + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(begin + length, 2 * bytes.length));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      this.receivedAt = Arrays.copyOf(this.receivedAt, 2 * count);
    }
    System.arraycopy(source, offset, bytes, begin, length);
    ends[count] = begin + length;
    this.receivedAt[count++] = receivedAt;
  }

  /** How many positions there are. */
  public int count() {
    return count;
  }

  /** When the position arrived that arrived first, epoch ms; {@link #UNKNOWN} if nobody knows. */
  public long oldest() {
    long oldest = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      oldest = receivedAt[i] == UNKNOWN ? oldest : Math.min(oldest, receivedAt[i]);
    }
    return oldest == Long.MAX_VALUE ? UNKNOWN : oldest;
  }

  byte[] bytes() {
    return bytes;
  }

  int offset(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  int length(int i) {
    return ends[i] - offset(i);
  }

  long receivedAt(int i) {
    return receivedAt[i];
  }
}
