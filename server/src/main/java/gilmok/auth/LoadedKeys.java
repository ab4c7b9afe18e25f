package gilmok.auth;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All stored keys as they were read. A damaged one has no effect on the others, nor does it bring a
 * revoked one back. Immutable.
 *
 * @param keys those that can be understood
 * @param damaged the others, by their ids: they let nobody in
 */
record LoadedKeys(List<StoredKey> keys, Map<String, DamagedKeys> damaged) {
  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  /**
   * Reads stored keys.
   *
   * @param before the keys as they were known: one that is unchanged keeps the state of its rate
   *     limit
   */
  static LoadedKeys of(List<KeyStore.Kept> all, List<StoredKey> before) {
    Map<String, StoredKey> known = new HashMap<>();
    before.forEach(key -> known.put(key.info().id(), key));
    List<StoredKey> keys = new ArrayList<>();
    Map<String, DamagedKeys> damaged = new LinkedHashMap<>();
    for (KeyStore.Kept kept : all) {
      try {
        StoredKey read = KeyJson.read(kept);
        StoredKey old = known.get(kept.id());
        keys.add(old != null && old.isSame(read) ? old : read);
      } catch (DamagedKeys one) {
        damaged.put(kept.id(), one);
      }
    }
    return new LoadedKeys(keys, damaged);
  }

  /** Logs that all are gone of so many that there were before. */
  void nameLoss(int before) {
    if (keys.isEmpty() && damaged.isEmpty() && before > 0) {
      LOG.log(
          Level.WARNING,
          "all {0} keys are gone from the documents and are refused; check whether"
              + " documents.mongo-uri names another database",
          before);
    }
  }

  /** Logs those damaged keys that were not damaged before. */
  void nameDamaged(Set<String> before) {
    damaged.forEach(
        (id, why) -> {
          if (!before.contains(id)) {
            LOG.log(
                Level.ERROR,
                "{0}. It authenticates nobody, other keys work; make another key and delete"
                    + " this one",
                why.getMessage());
          }
        });
  }
}
