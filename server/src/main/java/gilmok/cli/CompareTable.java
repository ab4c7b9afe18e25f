package gilmok.cli;

import gilmok.event.EventField;
import gilmok.event.EventView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The records of another system, by whom, when and what they are of, and what they say: a hash
 * table with open addressing over flat arrays, 28 bytes a record. Two records of one key are one;
 * how many there were is counted. Not thread-safe.
 */
final class CompareTable {
  /** The most records: 840 MB. */
  static final int RECORDS_MAX = 15_000_000;

  /** The outcome of looking up one of our records. */
  enum Match {
    SAME,
    DIFFERENT,
    NONE
  }

  private static final int FIRST_SLOTS = 1 << 12;
  private static final long PRIME = 0x9E3779B97F4A7C15L;
  private static final double E7 = 1e7;

  private long[] keys = new long[FIRST_SLOTS];
  private long[] values = new long[FIRST_SLOTS];
  private int[] lines = new int[FIRST_SLOTS];
  private byte[] states = new byte[FIRST_SLOTS];
  private int size;
  private long repeats;
  private long conflicts;

  private static final byte FREE = 0;
  private static final byte THEIRS = 1;
  private static final byte BOTH = 2;
  private static final byte DIFFERS = 3;

  /** How many different keys there are. */
  int size() {
    return size;
  }

  /** How many records had the key of one before. */
  long repeats() {
    return repeats;
  }

  /** How many of these said something else than the first, so that they cannot be looked for. */
  long conflicts() {
    return conflicts;
  }

  /** Adds a record of theirs, which stands in that line; false when there is no room. */
  boolean add(EventView event, int line) {
    if (size == RECORDS_MAX) {
      return false;
    }
    if (2 * (size + 1) > keys.length) {
      grow();
    }
    long key = key(event);
    int slot = slot(key, keys.length);
    while (states[slot] != FREE && keys[slot] != key) {
      slot = (slot + 1) & (keys.length - 1);
    }
    if (states[slot] == FREE) {
      keys[slot] = key;
      values[slot] = value(event);
      lines[slot] = line;
      states[slot] = THEIRS;
      size++;
    } else {
      repeats++;
      if (values[slot] != value(event)) {
        conflicts++;
      }
    }
    return true;
  }

  /** Looks up a record of ours. */
  Match find(EventView event, double metres) {
    long key = key(event);
    int slot = slot(key, keys.length);
    while (states[slot] != FREE) {
      if (keys[slot] == key) {
        boolean isSame = isNear(values[slot], value(event), metres, event);
        states[slot] = isSame ? BOTH : states[slot] == BOTH ? BOTH : DIFFERS;
        return isSame ? Match.SAME : Match.DIFFERENT;
      }
      slot = (slot + 1) & (keys.length - 1);
    }
    return Match.NONE;
  }

  /** How many of theirs were not found among ours. */
  long missing() {
    return count(THEIRS);
  }

  /** How many of theirs say something else than ours. */
  long differing() {
    return count(DIFFERS);
  }

  /** How many are the same in both. */
  long same() {
    return count(BOTH);
  }

  private long count(byte state) {
    long count = 0;
    for (byte one : states) {
      count += one == state ? 1 : 0;
    }
    return count;
  }

  /** The first lines, in their order, of those that are missing, or that differ. */
  int[] lines(boolean areMissing, int most) {
    byte wanted = areMissing ? THEIRS : DIFFERS;
    int[] found = new int[(int) Math.min(Integer.MAX_VALUE - 8, count(wanted))];
    int at = 0;
    for (int slot = 0; slot < states.length; slot++) {
      if (states[slot] == wanted) {
        found[at++] = lines[slot];
      }
    }
    Arrays.sort(found);
    return Arrays.copyOf(found, Math.min(most, found.length));
  }

  private void grow() {
    int slots = 2 * keys.length;
    long[] moreKeys = new long[slots];
    long[] moreValues = new long[slots];
    int[] moreLines = new int[slots];
    byte[] moreStates = new byte[slots];
    for (int i = 0; i < keys.length; i++) {
      if (states[i] != FREE) {
        int slot = slot(keys[i], slots);
        while (moreStates[slot] != FREE) {
          slot = (slot + 1) & (slots - 1);
        }
        moreKeys[slot] = keys[i];
        moreValues[slot] = values[i];
        moreLines[slot] = lines[i];
        moreStates[slot] = states[i];
      }
    }
    keys = moreKeys;
    values = moreValues;
    lines = moreLines;
    states = moreStates;
  }

  private static int slot(long key, int slots) {
    return (int) (key >>> 32) & (slots - 1);
  }

  /** Who, when and of what stream: 64 bits, so that two in ten million million pairs are alike. */
  private static long key(EventView event) {
    long hash = mix(event.kind().code(), event.at());
    hash = mix(hash, hash(event, EventField.RIDER_ID));
    return event.has(EventField.TYPE) ? mix(hash, hash(event, EventField.TYPE)) : hash;
  }

  private static long hash(EventView event, EventField field) {
    byte[] text = String.valueOf(event.text(field)).getBytes(StandardCharsets.UTF_8);
    long hash = text.length;
    for (byte one : text) {
      hash = (hash ^ one) * PRIME;
      hash ^= hash >>> 29;
    }
    return hash;
  }

  private static long mix(long one, long other) {
    long hash = (one ^ (other + PRIME)) * PRIME;
    hash ^= hash >>> 32;
    hash *= PRIME;
    return hash ^ (hash >>> 29);
  }

  /** What a record says: where a rider is, or which delivery an action is about. */
  private static long value(EventView event) {
    if (event.has(EventField.DELIVERY_ID)) {
      return hash(event, EventField.DELIVERY_ID);
    }
    if (event.has(EventField.MESSAGE)) {
      return hash(event, EventField.MESSAGE);
    }
    if (!event.has(EventField.LAT)) {
      return 0;
    }
    long lat = Math.round(event.lat() * E7);
    return lat << 32 | (Math.round(event.lon() * E7) & 0xffffffffL);
  }

  private static boolean isNear(long theirs, long ours, double metres, EventView event) {
    boolean isPlace =
        event.has(EventField.LAT)
            && !event.has(EventField.DELIVERY_ID)
            && !event.has(EventField.MESSAGE);
    if (theirs == ours || !isPlace) {
      return theirs == ours;
    }
    double metresPerUnit = 0.0111319;
    double north = ((theirs >> 32) - (ours >> 32)) * metresPerUnit;
    double east =
        ((int) theirs - (int) ours) * metresPerUnit * Math.cos(Math.toRadians(event.lat()));
    return Math.hypot(north, east) <= metres;
  }
}
