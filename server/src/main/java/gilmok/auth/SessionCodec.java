package gilmok.auth;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads the text of a session: {@code <key id>.<expiry>.<seal>}. The expiry is in epoch
 * seconds. The seal is an HMAC-SHA256, in hex, of all before it; its key is the SHA-256 of the
 * key's secret. A server that has the key's hash can check the seal, so it stores nothing of a
 * session, and a session ends with its key. The key cannot be derived from the text.
 *
 * <p>Not thread-safe: one for each thread, reused for each request.
 */
final class SessionCodec {
  /** Longer texts are not read. */
  private static final int LENGTH_MAX = 128;

  private static final int SEAL_CHARS = 64;
  private static final int EXPIRY_DIGITS_MAX = 12;
  private static final String ALGORITHM = "HmacSHA256";
  private static final HexFormat HEX = HexFormat.of();

  private final Mac mac = Sha256.hmac();
  private final byte[] shown = new byte[SEAL_CHARS / 2];
  private String text = "";
  private int idEnd;
  private int expiryEnd;
  private long expirySeconds;

  /** The text of a new session of the key with that id. */
  String text(String keyId, byte[] keyHash, long expirySeconds) {
    String sealed = keyId + '.' + expirySeconds;
    return sealed + '.' + HEX.formatHex(seal(sealed, keyHash));
  }

  /** Parses a text; false when it is not that of a session. Never throws. */
  boolean read(String from) {
    text = from;
    if (from.length() > LENGTH_MAX) {
      return false;
    }
    idEnd = from.indexOf('.');
    expiryEnd = idEnd < 1 ? -1 : from.indexOf('.', idEnd + 1);
    int digits = expiryEnd - idEnd - 1;
    return digits > 0
        && digits <= EXPIRY_DIGITS_MAX
        && from.length() - expiryEnd - 1 == SEAL_CHARS
        && readExpiry()
        && readSeal();
  }

  /** The whole text that was read last; the key's id is its first part. */
  String text() {
    return text;
  }

  int idEnd() {
    return idEnd;
  }

  long expirySeconds() {
    return expirySeconds;
  }

  /** Whether the text that was read last was sealed with that key. Compares in constant time. */
  boolean isOf(byte[] keyHash) {
    return MessageDigest.isEqual(seal(text.substring(0, expiryEnd), keyHash), shown);
  }

  /** Drops the reference to the text. */
  void clear() {
    text = "";
  }

  private boolean readExpiry() {
    long seconds = 0;
    for (int i = idEnd + 1; i < expiryEnd; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      seconds = seconds * 10 + digit;
    }
    expirySeconds = seconds;
    return true;
  }

  private boolean readSeal() {
    for (int i = 0; i < shown.length; i++) {
      int high = digit(text.charAt(expiryEnd + 1 + 2 * i));
      int low = digit(text.charAt(expiryEnd + 2 + 2 * i));
      if (high < 0 || low < 0) {
        return false;
      }
      shown[i] = (byte) (high << 4 | low);
    }
    return true;
  }

  private static int digit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }

  private byte[] seal(String sealed, byte[] keyHash) {
    try {
      mac.init(new SecretKeySpec(keyHash, ALGORITHM));
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("a hash is no key for " + ALGORITHM, e);
    }
    return mac.doFinal(sealed.getBytes(StandardCharsets.UTF_8));
  }
}
