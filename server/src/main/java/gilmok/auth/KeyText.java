package gilmok.auth;

import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The text of a key: {@code gk_<id>_<secret>}, both parts in lower-case letters and digits. The id
 * finds the key and is no secret.
 *
 * @param id the key's name in lists and on disk
 * @param secret 32 random bytes that only the key's owner knows
 */
record KeyText(String id, String secret) {
  static final String PREFIX = "gk_";
  static final int ID_BYTES = 7;
  static final int SECRET_BYTES = 32;
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

  /** A random key whose id is not taken. */
  static KeyText byChance(RandomGenerator random, Set<String> takenIds) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    byte[] id = new byte[ID_BYTES];
    KeyText text;
    do {
      random.nextBytes(id);
      text = of(id, secret);
    } while (takenIds.contains(text.id));
    return text;
  }

  /** A key made of {@link #ID_BYTES} and {@link #SECRET_BYTES} random bytes. */
  static KeyText of(byte[] id, byte[] secret) {
    return new KeyText(base32(id), base32(secret));
  }

  /** The key as its owner sends it. */
  String whole() {
    return PREFIX + id + '_' + secret;
  }

  /** A text without the secret. */
  @Override
  public String toString() {
    return PREFIX + id + "_…";
  }

  private static String base32(byte[] bytes) {
    StringBuilder text = new StringBuilder((bytes.length * 8 + 4) / 5);
    int bits = 0;
    int held = 0;
    for (byte one : bytes) {
      held = (held << 8) | (one & 0xff);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text.append(ALPHABET.charAt((held >>> bits) & 31));
      }
      held &= (1 << bits) - 1;
    }
    if (bits > 0) {
      text.append(ALPHABET.charAt((held << (5 - bits)) & 31));
    }
    return text.toString();
  }
}
