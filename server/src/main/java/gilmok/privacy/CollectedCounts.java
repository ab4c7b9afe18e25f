package gilmok.privacy;

import gilmok.event.SeededHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * How often something of a rider was collected, by a key of its kind and day: an open-addressed
 * table with linear probing. An entry is four words beside each other, so that a look-up touches
 * few lines of the cache, and no count is an object: some 60 bytes for each rider.
 *
 * <p>Not thread-safe: its owner locks it.
 */
final class CollectedCounts {
  private static final int ENTRIES_MIN = 16;
  private static final int ID_BYTES_USUAL = 16;

  /** The words of an entry. */
  private static final int WORDS = 4;

  /** The hash of rider and key in the upper half, the key in the lower. */
  private static final int NAME = 0;

  /** The count, and in the lowest byte the length of the id. */
  private static final int COUNT = 1;

  /** The first time, epoch ms. */
  private static final int FIRST = 2;

  /** How many ms later the last time was in the upper half, where the id begins in the lower. */
  private static final int LAST = 3;

  private static final int LENGTH_BITS = 8;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

  /** The number of an entry plus one; 0 where there is none. Twice as many as entries. */
  private int[] slots = new int[2 * ENTRIES_MIN];

  private long[] words = new long[WORDS * ENTRIES_MIN];
  private byte[] ids = new byte[ENTRIES_MIN * ID_BYTES_USUAL];
  private int idBytes;
  private int size;

  /** How many counts there are. */
  int size() {
    return size;
  }

  /**
   * Adds to a rider's count of that key.
   *
   * @param utf8 begins with the rider's id
   * @param atMillis when, within some days of the first time
   * @return whether it is the first of that rider and key
   */
  boolean add(int key, byte[] utf8, int length, long atMillis, long count) {
    int hash = SeededHash.of(utf8, 0, length);
    long name = (long) (hash ^ (key * 0x9E3779B9)) << Integer.SIZE | (key & 0xFFFF_FFFFL);
    int slot = home(name);
    while (slots[slot] != 0) {
      int at = WORDS * (slots[slot] - 1);
      if (words[at + NAME] == name && isOf(at, utf8, length)) {
        words[at + COUNT] += count << LENGTH_BITS;
        extend(at, atMillis);
        return false;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    append(name, utf8, length, atMillis, count);
    slots[slot] = size;
    if (2 * size == slots.length) {
      grow();
    }
    return true;
  }

  private int home(long name) {
    return (int) (name >>> Integer.SIZE) & (slots.length - 1);
  }

  private boolean isOf(int at, byte[] utf8, int length) {
    int start = (int) words[at + LAST];
    return (words[at + COUNT] & LENGTH_MASK) == length
        && Arrays.equals(ids, start, start + length, utf8, 0, length);
  }

  private void extend(int at, long atMillis) {
    long first = words[at + FIRST];
    long last = first + (words[at + LAST] >>> Integer.SIZE);
    if (atMillis < first || atMillis > last) { // the first one: a clock was set back
      long begin = Math.min(first, atMillis);
      words[at + FIRST] = begin;
      words[at + LAST] = last(Math.max(last, atMillis) - begin, (int) words[at + LAST]);
    }
  }

  private static long last(long laterMillis, int idStart) {
    return laterMillis << Integer.SIZE | idStart;
  }

  private void append(long name, byte[] utf8, int length, long atMillis, long count) {
    if (idBytes + length > ids.length) {
      ids = Arrays.copyOf(ids, Math.max(2 * ids.length, idBytes + length));
    }
    System.arraycopy(utf8, 0, ids, idBytes, length);
    int at = WORDS * size;
    words[at + NAME] = name;
    words[at + COUNT] = count << LENGTH_BITS | length;
    words[at + FIRST] = atMillis;
    words[at + LAST] = last(0, idBytes);
    idBytes += length;
    size++;
  }

  private void grow() {
    words = Arrays.copyOf(words, 2 * words.length);
    slots = new int[2 * slots.length];
    for (int entry = 0; entry < size; entry++) {
      int slot = home(words[WORDS * entry + NAME]);
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = entry + 1;
    }
  }

  /** The rider's id of entry {@code i}. */
  String rider(int i) {
    int length = (int) words[WORDS * i + COUNT] & LENGTH_MASK;
    return new String(ids, (int) words[WORDS * i + LAST], length, StandardCharsets.UTF_8);
  }

  /** The key of entry {@code i}. */
  int key(int i) {
    return (int) words[WORDS * i + NAME];
  }

  /** When and how often, of entry {@code i}. */
  RegisterRow.Span span(int i) {
    int at = WORDS * i;
    long first = words[at + FIRST];
    long last = first + (words[at + LAST] >>> Integer.SIZE);
    return new RegisterRow.Span(first, last, words[at + COUNT] >>> LENGTH_BITS);
  }
}
