package gilmok.auth;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of keys by id, searched by a piece of a text without copying it: open addressing, at
 * most half full. Immutable; a change makes a new table.
 */
final class KeyTable {
  private final @Nullable StoredKey[] slots;

  KeyTable(Collection<StoredKey> keys) {
    slots = new StoredKey[Integer.highestOneBit(Math.max(4, keys.size())) * 4];
    for (StoredKey key : keys) {
      String id = key.info().id();
      int slot = hash(id, 0, id.length()) & (slots.length - 1);
      while (slots[slot] != null) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = key;
    }
  }

  /**
   * The key with the id that {@code text} has from {@code start} to {@code end}; null if there is
   * none.
   */
  @Nullable StoredKey find(String text, int start, int end) {
    int slot = hash(text, start, end) & (slots.length - 1);
    for (StoredKey key = slots[slot]; key != null; key = slots[slot]) {
      String id = key.info().id();
      if (id.length() == end - start && text.startsWith(id, start)) {
        return key;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return null;
  }

  private static int hash(String text, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = hash * 31 + text.charAt(i);
    }
    return hash ^ (hash >>> 15);
  }
}
