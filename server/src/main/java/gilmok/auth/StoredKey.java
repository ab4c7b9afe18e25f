package gilmok.auth;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One key in memory: its stored form, and the state of its rate limit. The object lives as long as
 * the key does, whatever else changes. Thread-safe.
 */
final class StoredKey {
  private final KeyInfo info;
  private final KeySecret secret;
  private final boolean first;
  private final Principal principal;
  private final long expiresAtMillis;
  private final @Nullable RateLimit rate;
  private volatile @Nullable Usual usual;

  /** The usual rate, for a key that has none of its own, and the state of its limit. */
  private record Usual(int perSecond, RateLimit rate) {}

  /**
   * A key.
   *
   * @param first whether it was made by a first start, for {@code admin.key}
   */
  StoredKey(KeyInfo info, KeySecret secret, boolean first) {
    this.info = info;
    this.secret = secret;
    this.first = first;
    principal = new Principal(info.id(), info.name(), info.scopes(), info.binding());
    expiresAtMillis = info.expiresAt() == null ? Long.MAX_VALUE : info.expiresAt().toEpochMilli();
    rate = info.rate() == null ? null : new RateLimit(info.rate());
  }

  /** A key that is just made. */
  static StoredKey of(KeyText text, KeyRequest request, Instant now, boolean first) {
    KeyInfo info =
        new KeyInfo(
            text.id(),
            request.name(),
            request.scopes(),
            request.binding(),
            now,
            request.expiresIn() == null ? null : now.plus(request.expiresIn()),
            request.rate());
    KeySecret brought = request.secret();
    if (brought != null) {
      return new StoredKey(info, brought, first);
    }
    byte[] hash = PresentedKey.hashOf(text.secret());
    if (hash == null) {
      throw new IllegalStateException("a new secret is not ASCII");
    }
    return new StoredKey(info, KeySecret.own(hash), first);
  }

  /** The same key, kept by another secret from now on. */
  StoredKey with(KeySecret other) {
    return new StoredKey(info, other, first);
  }

  KeyInfo info() {
    return info;
  }

  /**
   * Sets the requests a second for a key that was made without a rate; 0: no limit. Admins, who set
   * this, are never limited by it.
   */
  void usualRate(int perSecond) {
    Usual before = usual;
    if (perSecond == 0 || rate != null || info.scopes().contains(Scope.ADMIN)) {
      usual = null;
    } else if (before == null || before.perSecond != perSecond) {
      usual = new Usual(perSecond, new RateLimit(perSecond));
    }
  }

  /** What is kept of its secret. */
  KeySecret secret() {
    return secret;
  }

  /** The hash of its secret. Returns the same array each time; nobody may change it. */
  byte[] hash() {
    return secret.hash();
  }

  /** Whether it was made by a first start, for {@code admin.key}. */
  boolean isFirst() {
    return first;
  }

  /** Whether both have the same stored form. */
  boolean isSame(StoredKey other) {
    return info.equals(other.info) && first == other.first && secret.isSame(other.secret);
  }

  /** Whether it runs everything then. */
  boolean isAdminAt(Instant time) {
    return info.scopes().contains(Scope.ADMIN) && info.activeAt(time);
  }

  Principal principal() {
    return principal;
  }

  /** Whether its verdict depends on the time. */
  boolean isTimed() {
    return rate != null || usual != null || expiresAtMillis != Long.MAX_VALUE;
  }

  /** The verdict on a request that has presented the right secret. */
  AuthResult verdict(long nowMillis) {
    if (nowMillis >= expiresAtMillis) {
      return Denial.EXPIRED;
    }
    Usual bound = usual;
    RateLimit limit = rate != null || bound == null ? rate : bound.rate;
    return limit == null || limit.pass(nowMillis) ? principal : Denial.TOO_FAST;
  }
}
