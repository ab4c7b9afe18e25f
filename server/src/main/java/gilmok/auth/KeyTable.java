package gilmok.auth;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys in force: a hash table by id, searched by a piece of a text without copying it, and one
 * by the hash of the whole text, for keys that were made elsewhere. Open addressing, at most half
 * full. Immutable; a change makes a new table.
 */
final class KeyTable {
  private final @Nullable StoredKey[] slots;
  private final @Nullable StoredKey[] byText;
  private final List<StoredKey> bcrypt;

  KeyTable(Collection<StoredKey> keys) {
    List<StoredKey> whole = kept(keys, KeySecret.Kind.WHOLE);
    bcrypt = kept(keys, KeySecret.Kind.BCRYPT);
    byText = new StoredKey[Integer.highestOneBit(Math.max(1, whole.size())) * 4];
    for (StoredKey key : whole) {
      int slot = hash(key.hash()) & (byText.length - 1);
      while (byText[slot] != null) {
        slot = (slot + 1) & (byText.length - 1);
      }
      byText[slot] = key;
    }
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

  private static List<StoredKey> kept(Collection<StoredKey> keys, KeySecret.Kind kind) {
    return keys.stream().filter(key -> key.secret().kind() == kind).toList();
  }

  /** The key whose whole text has that SHA-256; null if there is none. */
  @Nullable StoredKey find(byte[] sha256) {
    int slot = hash(sha256) & (byText.length - 1);
    for (StoredKey key = byText[slot]; key != null; key = byText[slot]) {
      if (MessageDigest.isEqual(key.hash(), sha256)) {
        return key;
      }
      slot = (slot + 1) & (byText.length - 1);
    }
    return null;
  }

  /** The keys with a bcrypt hash whose text begins as this one; hardly ever any. */
  List<StoredKey> beginningAs(String text, int start, int end) {
    if (bcrypt.isEmpty()) {
      return List.of();
    }
    return bcrypt.stream()
        .filter(
            key -> {
              String begins = key.secret().begins();
              return begins.length() <= end - start && text.startsWith(begins, start);
            })
        .toList();
  }

  private static int hash(byte[] sha256) {
    return ByteBuffer.wrap(sha256).getInt();
  }

  private static int hash(String text, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = hash * 31 + text.charAt(i);
    }
    return hash ^ (hash >>> 15);
  }
}
