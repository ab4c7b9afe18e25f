package gilmok.auth;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes keys out in their stored form, with the hashes of their secrets, and brings them in again:
 * whoever has them can go on using them. The admin key that a first start has made is not taken.
 * Thread-safe; {@link #restore} blocks.
 */
public record KeyTransfer(Keys keys) {
  /**
   * Keys in their stored form, by id.
   *
   * @param id only those that sort after it
   */
  public List<KeyStore.Kept> after(String id, int limit) {
    return keys.known().stream()
        .filter(key -> !key.isFirst() && key.info().id().compareTo(id) > 0)
        .map(KeyJson::write)
        .sorted(Comparator.comparing(KeyStore.Kept::id))
        .limit(limit)
        .toList();
  }

  /** Why that is no key in its stored form; null when it is one. */
  public static @Nullable String whyNot(KeyStore.Kept kept) {
    try {
      return KeyJson.read(kept).isFirst() ? "is the admin key of another server" : null;
    } catch (DamagedKeys wrong) {
      return wrong.why();
    }
  }

  /**
   * Adds keys. Those whose ids are there already stay as they are.
   *
   * @return for each, what is there under its id now; empty if there is no room for more
   */
  public List<Optional<KeyStore.Kept>> restore(List<KeyStore.Kept> brought) throws IOException {
    synchronized (keys) {
      keys.refresh();
      Map<String, StoredKey> there = new HashMap<>();
      keys.known().forEach(key -> there.put(key.info().id(), key));
      List<StoredKey> added = new ArrayList<>();
      for (KeyStore.Kept one : brought) {
        if (there.size() < keys.sizeMax() && !there.containsKey(one.id())) {
          StoredKey key = KeyJson.read(one);
          there.put(one.id(), key);
          added.add(key);
        }
      }
      if (!added.isEmpty()) {
        keys.add(added);
      }
      return brought.stream()
          .map(one -> Optional.ofNullable(there.get(one.id())).map(KeyJson::write))
          .toList();
    }
  }
}
