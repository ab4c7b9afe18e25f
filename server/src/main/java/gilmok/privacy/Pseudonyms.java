package gilmok.privacy;

import gilmok.storage.SecretFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The names by which riders are known where their ids must not be: {@code p-} and 26 characters,
 * the first 128 bits of HMAC-SHA256(secret, id in UTF-8) in lower-case base 32 (RFC 4648). Without
 * the secret nobody can tell whose a pseudonym is, not even by trying all ids; with it the same id
 * always has the same one, on every node that has the secret.
 *
 * <p>Thread-safe.
 */
public final class Pseudonyms {
  /** The file in the data folder that holds the node's own secret. */
  public static final String FILE = "pseudonym.secret";

  private static final String ALGORITHM = "HmacSHA256";
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final String PREFIX = "p-";
  private static final int BITS = 128;
  private static final int CHARS = 26;
  private static final int BITS_OF_CHARACTER = 5;
  private static final int SECRET_BYTES = 32;

  /** With the secret; never used itself, but copied, which is cheaper than to make one. */
  private final Mac keyed;

  /** Pseudonyms by this secret, of 16 bytes or more. */
  public Pseudonyms(byte[] secret) {
    try {
      keyed = Mac.getInstance(ALGORITHM);
      keyed.init(new SecretKeySpec(secret, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /**
   * Pseudonyms by the secret of the settings, or by the node's own, made at the first start.
   *
   * @param given {@code privacy.pseudonym-secret}; empty for the node's own
   * @throws IOException when the node's own cannot be read or written, or is damaged
   */
  public static Pseudonyms of(String given, Path folder, RandomGenerator random)
      throws IOException {
    if (!given.isEmpty()) {
      return new Pseudonyms(given.getBytes(StandardCharsets.UTF_8));
    }
    try {
      return new Pseudonyms(SecretFile.of(folder.resolve(FILE), SECRET_BYTES, random));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + FILE + " was read");
    }
  }

  /** Whether a text has the form of a pseudonym. */
  static boolean isOne(String text) {
    return text.length() == PREFIX.length() + CHARS
        && text.startsWith(PREFIX)
        && text.chars().skip(PREFIX.length()).allMatch(c -> ALPHABET.indexOf(c) >= 0);
  }

  /** The pseudonym of a rider. */
  public String of(String riderId) {
    byte[] sealed = mac().doFinal(riderId.getBytes(StandardCharsets.UTF_8));
    StringBuilder text = new StringBuilder(PREFIX);
    int bits = 0;
    int held = 0;
    for (int i = 0; i < BITS / Byte.SIZE; i++) {
      bits = (bits << Byte.SIZE) | (sealed[i] & 0xff);
      held += Byte.SIZE;
      while (held >= BITS_OF_CHARACTER) {
        held -= BITS_OF_CHARACTER;
        text.append(ALPHABET.charAt((bits >>> held) & 31));
      }
    }
    return text.append(ALPHABET.charAt((bits << (BITS_OF_CHARACTER - held)) & 31)).toString();
  }

  /**
   * By what one tells whether another pseudonym was made by the same secret: the pseudonym of a
   * text that is no rider's id, as it has a control character.
   */
  public String mark() {
    return of("\u0000mark");
  }

  /**
   * A secret for one use, which tells nothing of the others.
   *
   * @param use starts with a control character, which no rider's id has
   */
  byte[] secretOf(String use, int length) {
    return Arrays.copyOf(mac().doFinal(use.getBytes(StandardCharsets.UTF_8)), length);
  }

  private Mac mac() {
    try {
      return (Mac) keyed.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("every JDK can copy " + ALGORITHM, e);
    }
  }

  /** A text without the secret. */
  @Override
  public String toString() {
    return "Pseudonyms";
  }
}
