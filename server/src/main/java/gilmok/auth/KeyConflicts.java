package gilmok.auth;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether a key can be added to those that there are. Pure functions. */
final class KeyConflicts {
  private static final int ACTIVE_WITH_ONE_NAME_MAX = 2;

  /** Whoever brings it would have another way in for that key, or for whoever saw its hash. */
  private static final KeyResult OWN = new KeyResult.Conflict("key", "is one of this server's own");

  private KeyConflicts() {}

  /**
   * The result of a request for a key that need not, or cannot, be added to these; null if it is to
   * be added.
   *
   * @param config how many keys there may be, and the admin key that is none of them
   */
  static @Nullable KeyResult of(
      List<StoredKey> kept, KeyRequest request, Instant now, AuthConfig config) {
    KeySecret brought = request.secret();
    KeyResult known = brought == null ? null : ofBrought(kept, request, brought, config.adminKey());
    if (known != null) {
      return known;
    }
    if (kept.size() >= config.keysMax()) {
      return new KeyResult.Conflict("name", "there are " + kept.size() + " keys, no more fit");
    }
    long twins =
        kept.stream()
            .map(StoredKey::info)
            .filter(info -> info.name().equals(request.name()) && info.activeAt(now))
            .count();
    return twins < ACTIVE_WITH_ONE_NAME_MAX
        ? null
        : new KeyResult.Conflict("name", "two active keys have this name; revoke one first");
  }

  /** Likewise for a key that was made elsewhere: bringing it once more changes nothing. */
  private static @Nullable KeyResult ofBrought(
      List<StoredKey> kept, KeyRequest request, KeySecret brought, @Nullable String adminKey) {
    if (brought.isHashOf(adminKey)) {
      return OWN;
    }
    int alike = 0;
    for (StoredKey key : kept) {
      if (key.secret().isSame(brought)) {
        return isSame(key.info(), request)
            ? new KeyResult.Brought(key.info())
            : new KeyResult.Conflict(
                "key",
                "is there already, as "
                    + key.info().id()
                    + ", with another name, other scopes or another binding; revoke that first");
      }
      if (brought.isHashKeptOf(key.secret())) {
        return OWN;
      }
      alike += brought.isAlike(key.secret()) ? 1 : 0;
    }
    return alike < BcryptCheck.CANDIDATES_MAX
        ? null
        : new KeyResult.Conflict(
            "prefix", alike + " keys with a bcrypt hash begin alike; give more of the beginning");
  }

  private static boolean isSame(KeyInfo info, KeyRequest request) {
    return info.name().equals(request.name())
        && info.scopes().equals(request.scopes())
        && Objects.equals(info.binding(), request.binding())
        && Objects.equals(info.rate(), request.rate());
  }
}
