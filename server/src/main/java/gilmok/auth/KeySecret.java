package gilmok.auth;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a key's secret, to recognise the key by. Immutable.
 *
 * <p>A key that is made here is found by its id and recognised by the hash of its secret part. A
 * key that was made elsewhere is found by the hash of its whole text. If only its bcrypt hash is
 * known, it is found by how its text begins, and kept by the hash of its text once it was seen.
 */
public final class KeySecret {
  /** How a key is found and recognised. */
  enum Kind {
    OWN,
    WHOLE,
    BCRYPT
  }

  /** The shortest key that can be brought: shorter ones are guessed. */
  public static final int TEXT_LENGTH_MIN = 8;

  private static final int HASH_BYTES = 32;
  private static final int BEGINS_MIN = 3;
  private static final int BEGINS_MAX = 64;

  /** Cost 4 to 14: a higher one takes seconds of a processor. */
  private static final Pattern BCRYPT =
      Pattern.compile("\\$2[aby]\\$(0[4-9]|1[0-4])\\$[./A-Za-z0-9]{53}");

  private final Kind kind;
  private final byte[] hash;
  private final String bcrypt;
  private final String begins;

  private KeySecret(Kind kind, byte[] hash, String bcrypt, String begins) {
    this.kind = kind;
    this.hash = hash;
    this.bcrypt = bcrypt;
    this.begins = begins;
  }

  /** Of a key that is made here, by SHA-256 of its secret part. */
  static KeySecret own(byte[] sha256) {
    return new KeySecret(Kind.OWN, sha256.clone(), "", "");
  }

  /** Of a key that was made elsewhere, by SHA-256 of its whole text. */
  static KeySecret whole(byte[] sha256) {
    return new KeySecret(Kind.WHOLE, sha256.clone(), "", "");
  }

  /** Of a key that was made elsewhere, by its bcrypt hash, and how its text begins. */
  static KeySecret bcrypt(String bcrypt, String begins) {
    return new KeySecret(Kind.BCRYPT, Sha256.of(bcrypt), bcrypt, begins);
  }

  /** The result of reading what a client brings: a secret, or what is wrong. */
  public sealed interface Brought {
    /** It can be used. */
    record Good(KeySecret secret) implements Brought {}

    /** It cannot. */
    record Wrong(String field, String reason) implements Brought {}
  }

  /**
   * Reads a secret that is brought: exactly one of a text, its SHA-256 in hexadecimal, its bcrypt
   * hash; with the last, how the text begins.
   */
  public static Brought brought(
      @Nullable String key,
      @Nullable String sha256,
      @Nullable String bcrypt,
      @Nullable String begins) {
    int given = (key == null ? 0 : 1) + (sha256 == null ? 0 : 1) + (bcrypt == null ? 0 : 1);
    if (given != 1) {
      return new Brought.Wrong("key", "needs one of key, sha256 and bcrypt");
    }
    if (bcrypt == null && begins != null) {
      return new Brought.Wrong("prefix", "is for bcrypt only");
    }
    if (key != null) {
      return ofText(key);
    }
    return sha256 != null ? ofSha256(sha256) : ofBcrypt(String.valueOf(bcrypt), begins);
  }

  private static Brought ofText(String key) {
    boolean isVisible = key.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (key.length() < TEXT_LENGTH_MIN || key.length() > PresentedKey.LENGTH_MAX || !isVisible) {
      return new Brought.Wrong(
          "key",
          "needs %d to %d visible ASCII characters"
              .formatted(TEXT_LENGTH_MIN, PresentedKey.LENGTH_MAX));
    }
    if (key.startsWith(KeyText.PREFIX)) {
      return new Brought.Wrong("key", "begins as the keys that are made here do");
    }
    byte[] hash = PresentedKey.hashOf(key);
    return hash == null ? new Brought.Wrong("key", "is not ASCII") : new Brought.Good(whole(hash));
  }

  private static Brought ofSha256(String sha256) {
    if (!sha256.matches("[0-9a-fA-F]{" + 2 * HASH_BYTES + "}")) {
      return new Brought.Wrong("sha256", "needs 64 hexadecimal digits");
    }
    byte[] hash = HexFormat.of().parseHex(sha256);
    return MessageDigest.isEqual(hash, Sha256.of(""))
        ? new Brought.Wrong("sha256", "is that of an empty text")
        : new Brought.Good(whole(hash));
  }

  private static Brought ofBcrypt(String bcrypt, @Nullable String begins) {
    if (!BCRYPT.matcher(bcrypt).matches()) {
      return new Brought.Wrong("bcrypt", "needs a bcrypt hash, $2a$, $2b$ or $2y$, cost 4 to 14");
    }
    return begins != null && isBeginning(begins)
        ? new Brought.Good(bcrypt(bcrypt, begins))
        : new Brought.Wrong(
            "prefix",
            "needs the %d to %d characters that the key begins with"
                .formatted(BEGINS_MIN, BEGINS_MAX));
  }

  private static boolean isBeginning(String begins) {
    return begins.length() >= BEGINS_MIN
        && begins.length() <= BEGINS_MAX
        && !begins.startsWith(KeyText.PREFIX)
        && begins.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  Kind kind() {
    return kind;
  }

  /** SHA-256 of what is kept. Returns the same array each time; nobody may change it. */
  byte[] hash() {
    return hash;
  }

  /** The bcrypt hash; empty for other kinds. */
  String bcrypt() {
    return bcrypt;
  }

  /** How the text of a key with a bcrypt hash begins; empty for other kinds. */
  String begins() {
    return begins;
  }

  /** A secret that was brought, as fields of a request for a key: never its text. */
  public Map<String, String> fields() {
    return switch (kind) {
      case OWN -> Map.of();
      case WHOLE -> Map.of("sha256", HexFormat.of().formatHex(hash));
      case BCRYPT -> Map.of("bcrypt", bcrypt, "prefix", begins);
    };
  }

  /** Whether both are of one kind and the same. */
  boolean isSame(KeySecret other) {
    return kind == other.kind
        && MessageDigest.isEqual(hash, other.hash)
        && begins.equals(other.begins);
  }

  /** Whether it is the hash of that text. */
  boolean isHashOf(@Nullable String text) {
    return text != null && MessageDigest.isEqual(hash, Sha256.of(text));
  }

  /** Whether it is what is kept of a key that was made here, of which others may have a copy. */
  boolean isHashKeptOf(KeySecret other) {
    return kind == Kind.WHOLE && other.kind == Kind.OWN && MessageDigest.isEqual(hash, other.hash);
  }

  /** Whether a text can begin as both of these keys, which have a bcrypt hash. */
  boolean isAlike(KeySecret other) {
    return kind == Kind.BCRYPT
        && other.kind == Kind.BCRYPT
        && (begins.startsWith(other.begins) || other.begins.startsWith(begins));
  }

  /** A text without the secret. */
  @Override
  public String toString() {
    return "KeySecret[" + kind + "]";
  }
}
