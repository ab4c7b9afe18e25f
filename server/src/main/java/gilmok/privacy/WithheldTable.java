package gilmok.privacy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What riders withhold, by the digests of their ids, in an open-addressed table of 16 bytes an
 * entry: the upper 64 bits of the digest, then its next 60 and four of the code. An entry stays
 * where it is, with the code 0 when nothing is withheld any more; such entries go when the table is
 * built again.
 *
 * <p>One thread at a time changes it; any thread looks up without waiting. The second word is
 * stored before the first, with release, and read after it, with acquire: who finds the first finds
 * the second, of that moment or later. A table that is full is replaced ({@link #grown}) by the
 * next, which is published when it is complete.
 */
final class WithheldTable {
  /** A table of nobody. */
  static final WithheldTable NONE = new WithheldTable(0);

  private static final long CODE_MASK = 15;
  private static final int SLOTS_MIN = 64;
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int slots;
  private int used;
  private int live;

  private WithheldTable(int slots) {
    this.slots = slots;
    words = new long[2 * slots];
  }

  /** How many riders withhold something. For the thread that changes it. */
  int size() {
    return live;
  }

  long bytes() {
    return 8L * words.length;
  }

  /** The code of a rider; 0 if nothing is withheld. */
  int find(long high, long low) {
    if (slots == 0) {
      return 0;
    }
    long first = first(high);
    for (int slot = home(first); ; slot = slot + 1 == slots ? 0 : slot + 1) {
      long word = (long) WORDS.getAcquire(words, 2 * slot);
      if (word == 0) {
        return 0;
      }
      if (word == first) {
        long second = (long) WORDS.getAcquire(words, 2 * slot + 1);
        if (((second ^ low) & ~CODE_MASK) == 0) {
          return (int) (second & CODE_MASK);
        }
      }
    }
  }

  /** Whether one more entry fits without being built again. */
  boolean hasRoom() {
    return 4L * (used + 1) <= 3L * slots;
  }

  /** Sets a rider's code. There must be room, unless the rider is there. */
  void put(long high, long low, int code) {
    long first = first(high);
    long second = (low & ~CODE_MASK) | code;
    int slot = home(first);
    while (words[2 * slot] != 0) {
      long there = words[2 * slot + 1];
      if (words[2 * slot] == first && ((there ^ low) & ~CODE_MASK) == 0) {
        live += (code == 0 ? 0 : 1) - ((there & CODE_MASK) == 0 ? 0 : 1);
        WORDS.setRelease(words, 2 * slot + 1, second);
        return;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    if (code != 0) {
      WORDS.setRelease(words, 2 * slot + 1, second);
      WORDS.setRelease(words, 2 * slot, first);
      used++;
      live++;
    }
  }

  /** A table of the same riders with room for as many again. */
  WithheldTable grown() {
    WithheldTable next = new WithheldTable(Math.max(SLOTS_MIN, Math.multiplyExact(live, 8) / 3));
    for (int slot = 0; slot < slots; slot++) {
      int code = (int) (words[2 * slot + 1] & CODE_MASK);
      if (words[2 * slot] != 0 && code != 0) {
        next.put(words[2 * slot], words[2 * slot + 1], code);
      }
    }
    return next;
  }

  /** Writes the entries; of one that changes meanwhile, the one or the other state. */
  void write(DataOutputStream out) throws IOException {
    for (int slot = 0; slot < slots; slot++) {
      long first = (long) WORDS.getAcquire(words, 2 * slot);
      long second = (long) WORDS.getAcquire(words, 2 * slot + 1);
      if (first != 0 && (second & CODE_MASK) != 0) {
        out.writeByte(1);
        out.writeLong(first);
        out.writeLong(second);
      }
    }
    out.writeByte(0);
  }

  /** The table that was written. */
  static WithheldTable read(DataInputStream in) throws IOException {
    WithheldTable table = NONE;
    while (in.readByte() == 1) {
      table = table.hasRoom() ? table : table.grown();
      long first = in.readLong();
      long second = in.readLong();
      table.put(first, second, (int) (second & CODE_MASK));
    }
    return table;
  }

  /** An empty slot has 0 there. */
  private static long first(long high) {
    return high == 0 ? 1 : high;
  }

  private int home(long first) {
    return (int) Math.unsignedMultiplyHigh(first, slots);
  }
}
