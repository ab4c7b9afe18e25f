package gilmok.auth;

import org.jspecify.annotations.Nullable;

/**
 * One key in memory: what is on disk of it, and how fast it is being used. Lives as long as the key
 * does, whatever else changes. Thread-safe.
 */
final class StoredKey {
  private final KeyInfo info;
  private final byte[] hash;
  private final Principal principal;
  private final long expiresAtMillis;
  private final @Nullable Rate rate;

  /**
   * A key.
   *
   * @param hash SHA-256 of its secret
   */
  StoredKey(KeyInfo info, byte[] hash) {
    this.info = info;
    this.hash = hash.clone();
    principal = new Principal(info.id(), info.name(), info.scopes(), info.binding());
    expiresAtMillis = info.expiresAt() == null ? Long.MAX_VALUE : info.expiresAt().toEpochMilli();
    rate = info.rate() == null ? null : new Rate(info.rate());
  }

  KeyInfo info() {
    return info;
  }

  /** The same array each time; nobody changes it. */
  byte[] hash() {
    return hash;
  }

  Principal principal() {
    return principal;
  }

  /** Whether it matters what time it is. */
  boolean isTimed() {
    return rate != null || expiresAtMillis != Long.MAX_VALUE;
  }

  /** The verdict on a request that has shown the right secret. */
  Verdict verdict(long nowMillis) {
    if (nowMillis >= expiresAtMillis) {
      return Denial.EXPIRED;
    }
    return rate == null || rate.pass(nowMillis) ? principal : Denial.TOO_FAST;
  }
}
