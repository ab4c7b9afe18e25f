package gilmok.auth;

import java.security.MessageDigest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One key in memory: what is on disk of it, and how fast it is being used. Lives as long as the key
 * does, whatever else changes. Thread-safe.
 */
final class StoredKey {
  private final KeyInfo info;
  private final byte[] hash;
  private final boolean first;
  private final Principal principal;
  private final long expiresAtMillis;
  private final @Nullable RateLimit rate;
  private volatile @Nullable Usual usual;

  /** The rate of keys that have none of their own, and how fast this one is by it. */
  private record Usual(int perSecond, RateLimit rate) {}

  /**
   * A key.
   *
   * @param hash SHA-256 of its secret
   * @param first whether it was made by a first start, for {@code admin.key}
   */
  StoredKey(KeyInfo info, byte[] hash, boolean first) {
    this.info = info;
    this.hash = hash.clone();
    this.first = first;
    principal = new Principal(info.id(), info.name(), info.scopes(), info.binding());
    expiresAtMillis = info.expiresAt() == null ? Long.MAX_VALUE : info.expiresAt().toEpochMilli();
    rate = info.rate() == null ? null : new RateLimit(info.rate());
  }

  /** A new one. */
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
    byte[] hash = PresentedKey.hashOf(text.secret());
    if (hash == null) {
      throw new IllegalStateException("a new secret is not ASCII");
    }
    return new StoredKey(info, hash, first);
  }

  KeyInfo info() {
    return info;
  }

  /**
   * How many requests a second it may make if it was made without a rate; 0: any number. Admins,
   * who set this, are never held up by it.
   */
  void usualRate(int perSecond) {
    Usual before = usual;
    if (perSecond == 0 || rate != null || info.scopes().contains(Scope.ADMIN)) {
      usual = null;
    } else if (before == null || before.perSecond != perSecond) {
      usual = new Usual(perSecond, new RateLimit(perSecond));
    }
  }

  /** The same array each time; nobody changes it. */
  byte[] hash() {
    return hash;
  }

  /** Whether it was made by a first start. */
  boolean isFirst() {
    return first;
  }

  /** Whether nothing about it differs. */
  boolean isSame(StoredKey other) {
    return info.equals(other.info)
        && first == other.first
        && MessageDigest.isEqual(hash, other.hash);
  }

  Principal principal() {
    return principal;
  }

  /** Whether it matters what time it is. */
  boolean isTimed() {
    return rate != null || usual != null || expiresAtMillis != Long.MAX_VALUE;
  }

  /** The verdict on a request that has shown the right secret. */
  AuthResult verdict(long nowMillis) {
    if (nowMillis >= expiresAtMillis) {
      return Denial.EXPIRED;
    }
    Usual bound = usual;
    RateLimit limit = rate != null || bound == null ? rate : bound.rate;
    return limit == null || limit.pass(nowMillis) ? principal : Denial.TOO_FAST;
  }
}
