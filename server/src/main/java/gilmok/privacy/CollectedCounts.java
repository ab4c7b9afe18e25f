package gilmok.privacy;

import gilmok.event.SeededHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * How often something of a rider was collected, by a key of its kind and day: an open-addressed
 * table with linear probing, and a column for each value, so that no count is an object. Some 60
 * bytes for each rider.
 *
 * <p>Not thread-safe: its owner locks it.
 */
final class CollectedCounts {
  private static final int ENTRIES_MIN = 16;

  /** The number of an entry plus one; 0 where there is none. Twice as many as entries. */
  private int[] slots = new int[2 * ENTRIES_MIN];

  private int[] hashes = new int[ENTRIES_MIN];
  private int[] keys = new int[ENTRIES_MIN];
  private long[] counts = new long[ENTRIES_MIN];
  private long[] firsts = new long[ENTRIES_MIN];
  private long[] lasts = new long[ENTRIES_MIN];
  private int[] ends = new int[ENTRIES_MIN];
  private byte[] ids = new byte[ENTRIES_MIN * 16];
  private int size;

  /** The hash of a rider's id, for {@link #add}. */
  static int hash(byte[] utf8, int length) {
    return SeededHash.of(utf8, 0, length);
  }

  /** How many counts there are. */
  int size() {
    return size;
  }

  /**
   * Adds to a rider's count of that key.
   *
   * @param utf8 begins with the rider's id
   * @param hash its {@link #hash}
   * @return whether it is the first of that rider and key
   */
  boolean add(int key, byte[] utf8, int length, int hash, long atMillis, long count) {
    int mixed = hash ^ (key * 0x9E3779B9);
    int slot = mixed & (slots.length - 1);
    while (slots[slot] != 0) {
      int entry = slots[slot] - 1;
      if (hashes[entry] == mixed && keys[entry] == key && isOf(entry, utf8, length)) {
        counts[entry] += count;
        firsts[entry] = Math.min(firsts[entry], atMillis);
        lasts[entry] = Math.max(lasts[entry], atMillis);
        return false;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    append(key, utf8, length, mixed, atMillis, count);
    slots[slot] = size;
    if (size == keys.length) {
      grow();
    }
    return true;
  }

  private boolean isOf(int entry, byte[] utf8, int length) {
    int start = start(entry);
    return Arrays.equals(ids, start, ends[entry], utf8, 0, length);
  }

  private int start(int entry) {
    return entry == 0 ? 0 : ends[entry - 1];
  }

  private void append(int key, byte[] utf8, int length, int mixed, long atMillis, long count) {
    int start = start(size);
    if (start + length > ids.length) {
      ids = Arrays.copyOf(ids, Math.max(2 * ids.length, start + length));
    }
    System.arraycopy(utf8, 0, ids, start, length);
    hashes[size] = mixed;
    keys[size] = key;
    counts[size] = count;
    firsts[size] = atMillis;
    lasts[size] = atMillis;
    ends[size] = start + length;
    size++;
  }

  private void grow() {
    int entries = 2 * size;
    hashes = Arrays.copyOf(hashes, entries);
    keys = Arrays.copyOf(keys, entries);
    counts = Arrays.copyOf(counts, entries);
    firsts = Arrays.copyOf(firsts, entries);
    lasts = Arrays.copyOf(lasts, entries);
    ends = Arrays.copyOf(ends, entries);
    slots = new int[2 * entries];
    for (int entry = 0; entry < size; entry++) {
      int slot = hashes[entry] & (slots.length - 1);
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = entry + 1;
    }
  }

  /** The rider's id of entry {@code i}. */
  String rider(int i) {
    return new String(ids, start(i), ends[i] - start(i), StandardCharsets.UTF_8);
  }

  /** The key of entry {@code i}. */
  int key(int i) {
    return keys[i];
  }

  /** When and how often, of entry {@code i}. */
  RegisterRow.Span span(int i) {
    return new RegisterRow.Span(firsts[i], lasts[i], counts[i]);
  }
}
