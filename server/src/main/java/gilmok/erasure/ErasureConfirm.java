package gilmok.erasure;

import gilmok.privacy.Pseudonyms;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The tokens that confirm an erasure: good for ten minutes, for that rider and that key, on every
 * node that has the secret of pseudonyms. Nothing is stored of them. Thread-safe.
 *
 * <p>A token is the time at which it ends, and the seal of it, the key and the rider: a pseudonym
 * of a text that is no rider's id, as it has control characters.
 */
record ErasureConfirm(Pseudonyms seals, InstantSource clock) {
  static final Duration GOOD = Duration.ofMinutes(10);
  private static final int RADIX = 36;

  /** A token for an erasure. */
  String token(String riderId, String keyId) {
    long end = clock.millis() + GOOD.toMillis();
    return token(end, riderId, keyId);
  }

  private String token(long end, String riderId, String keyId) {
    return Long.toString(end, RADIX)
        + "."
        + seals.of("\u0000erasure\u0000" + end + "\u0000" + keyId + "\u0000" + riderId);
  }

  /** Whether it is a token for that erasure, and still good. */
  boolean isGood(String token, String riderId, String keyId) {
    int dot = token.indexOf('.');
    long end;
    try {
      end = Long.parseLong(token.substring(0, Math.max(0, dot)), RADIX);
    } catch (NumberFormatException none) {
      return false;
    }
    long now = clock.millis();
    return end > now
        && end <= now + GOOD.toMillis()
        && MessageDigest.isEqual(
            token.getBytes(StandardCharsets.UTF_8),
            token(end, riderId, keyId).getBytes(StandardCharsets.UTF_8));
  }
}
