package gilmok.collect.json;

import gilmok.event.EventField;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds fields by their names in the bytes of a body: the first three bytes, which differ between
 * all names, select a candidate by a perfect hash; comparing sixteen bytes then confirms it.
 */
final class FieldNames {
  private static final int SLOTS = 64;
  private static final long HEAD = 0xffffff;

  private final EventField[] fields = new EventField[SLOTS];

  /** For each slot: two words of the name with its quotation mark, each followed by its mask. */
  private final long[] words = new long[4 * SLOTS];

  private final long factor;

  FieldNames() {
    long candidate = 1;
    while (!isPerfect(candidate)) {
      candidate += 2;
    }
    factor = candidate;
    for (int i = 0; i < SLOTS; i++) {
      fields[i] = EventField.RIDER_ID;
      words[4 * i] = -1; // the mask is empty, so this matches nothing
    }
    for (EventField field : EventField.values()) {
      byte[] name = padded(field);
      int slot = slot(Bytes.word(name, 0), factor);
      int length = field.label().length() + 1;
      fields[slot] = field;
      words[4 * slot] = Bytes.word(name, 0);
      words[4 * slot + 1] = mask(Math.min(length, 8));
      words[4 * slot + 2] = Bytes.word(name, 8);
      words[4 * slot + 3] = mask(Math.max(length - 8, 0));
    }
  }

  /**
   * The field whose name is at the offset, followed by a quotation mark; null if there is none.
   *
   * @param bytes of which 16 can be read from {@code offset}
   */
  @Nullable EventField find(byte[] bytes, int offset) {
    long word = Bytes.word(bytes, offset);
    int slot = slot(word, factor);
    int i = 4 * slot;
    long difference = (word & words[i + 1]) ^ words[i];
    difference |= (Bytes.word(bytes, offset + 8) & words[i + 3]) ^ words[i + 2];
    return difference == 0 ? fields[slot] : null;
  }

  private static int slot(long word, long factor) {
    return (int) ((((word & HEAD) * factor) >>> 20) & (SLOTS - 1));
  }

  private static boolean isPerfect(long factor) {
    long taken = 0;
    for (EventField field : EventField.values()) {
      long bit = 1L << slot(Bytes.word(padded(field), 0), factor);
      if ((taken & bit) != 0) {
        return false;
      }
      taken |= bit;
    }
    return true;
  }

  private static byte[] padded(EventField field) {
    byte[] name = new byte[16];
    byte[] label = (field.label() + '"').getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(label, 0, name, 0, label.length);
    return name;
  }

  private static long mask(int bytes) {
    return bytes == 0 ? 0 : -1L >>> (64 - 8 * bytes);
  }
}
