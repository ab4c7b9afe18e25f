package gilmok.history;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Some riders, found by the bytes of their ids. Immutable. */
final class RiderSet {
  private final List<String> riders;
  private final byte[][] utf8;
  private final int[] slots;

  /** These riders, in this order. */
  RiderSet(List<String> riders) {
    this.riders = List.copyOf(riders);
    utf8 = new byte[riders.size()][];
    slots = new int[Integer.highestOneBit(Math.max(1, riders.size())) * 4];
    Arrays.fill(slots, -1);
    for (int i = 0; i < utf8.length; i++) {
      byte[] id = riders.get(i).getBytes(StandardCharsets.UTF_8);
      utf8[i] = id;
      int slot = hash(id, 0, id.length);
      while (slots[slot] >= 0) {
        slot = slot + 1 & slots.length - 1;
      }
      slots[slot] = i;
    }
  }

  /** The riders. */
  List<String> riders() {
    return riders;
  }

  /** The number of the rider with that id; -1 when there is none. */
  int find(byte[] bytes, int offset, int length) {
    int slot = hash(bytes, offset, length);
    while (slots[slot] >= 0) {
      byte[] id = utf8[slots[slot]];
      if (Arrays.equals(id, 0, id.length, bytes, offset, offset + length)) {
        return slots[slot];
      }
      slot = slot + 1 & slots.length - 1;
    }
    return -1;
  }

  private int hash(byte[] bytes, int offset, int length) {
    int hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return (hash ^ hash >>> 15) & slots.length - 1;
  }
}
