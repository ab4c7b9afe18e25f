package gilmok.sinks.redis;

import gilmok.event.SeededHash;
import java.util.Arrays;

/**
 * The riders of one batch, numbered in order of appearance, each with its newest fix. A hash table
 * over the riders' bytes within the batch: nothing is allocated for a position.
 *
 * <p>Not thread-safe: owned by the sink, cleared for each batch.
 */
final class BatchRiders {
  private byte[] bytes = {};
  private int[] table = {};
  private int[] offsets = {};
  private int[] lengths = {};
  private int[] hashes = {};
  private int[] newest = {};
  private long[] at = {};
  private int size;

  /**
   * Removes all riders.
   *
   * @param bytes contains the next riders
   * @param most how many riders there can be
   */
  void clear(byte[] bytes, int most) {
    this.bytes = bytes;
    size = 0;
    if (most > newest.length) {
      table = new int[2 * Integer.highestOneBit(Math.max(1, most - 1)) * 2];
      offsets = new int[most];
      lengths = new int[most];
      hashes = new int[most];
      newest = new int[most];
      at = new long[most];
    }
    Arrays.fill(table, -1);
  }

  /**
   * Adds a fix. Of two with the same time, the later one counts as newer.
   *
   * @param hash of the rider's bytes
   * @param record the fix's index in the batch
   * @return the rider's number
   */
  int add(int offset, int length, int hash, int record, long fixAt) {
    int mask = table.length - 1;
    int slot = SeededHash.of(bytes, offset, length) & mask; // callers could aim at the other
    for (; table[slot] >= 0; slot = (slot + 1) & mask) {
      int rider = table[slot];
      if (hashes[rider] == hash && isAt(rider, offset, length)) {
        if (fixAt >= at[rider]) {
          newest[rider] = record;
          at[rider] = fixAt;
        }
        return rider;
      }
    }
    table[slot] = size;
    offsets[size] = offset;
    lengths[size] = length;
    hashes[size] = hash;
    newest[size] = record;
    at[size] = fixAt;
    return size++;
  }

  private boolean isAt(int rider, int offset, int length) {
    int known = offsets[rider];
    return Arrays.equals(bytes, known, known + lengths[rider], bytes, offset, offset + length);
  }

  /** The number of riders. */
  int size() {
    return size;
  }

  /** The index of the rider's newest fix. */
  int newest(int rider) {
    return newest[rider];
  }

  /** The hash that was given with the rider. */
  int hash(int rider) {
    return hashes[rider];
  }
}
