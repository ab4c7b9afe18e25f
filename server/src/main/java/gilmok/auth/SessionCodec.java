package gilmok.auth;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads the text of a session: {@code <key id>.<begun>-<expiry>.<seal>}, the times in
 * epoch seconds. The seal is an HMAC-SHA256, in hex, of a fixed prefix, of all before it and of the
 * key's stored hash; its key is one of {@link SessionSecrets}. So nothing is stored of a session,
 * it ends when its key is gone or another, and neither a copy of the stored keys nor a session's
 * text is enough to make one.
 *
 * <p>Not thread-safe: one for each thread, reused for each request.
 */
final class SessionCodec {
  /** Longer texts are not read. */
  private static final int LENGTH_MAX = 128;

  private static final int SEAL_CHARS = 64;
  private static final int TIME_DIGITS_MAX = 12;
  private static final String ALGORITHM = "HmacSHA256";
  private static final HexFormat HEX = HexFormat.of();

  /** Keeps this use of the secret apart from any other. */
  private static final String PURPOSE = "gilmok session 2 ";

  /** Ready to seal, one for each secret, the one for new sessions first. */
  private final List<Mac> macs;

  private final byte[] shown = new byte[SEAL_CHARS / 2];
  private String text = "";
  private int idEnd;
  private int expiryEnd;
  private long begunSeconds;
  private long expirySeconds;

  SessionCodec(SessionSecrets secrets) {
    macs = secrets.all().stream().map(SessionCodec::mac).toList();
  }

  /**
   * The text of a new session of the key with that id.
   *
   * @throws IllegalStateException when there is no secret to seal it with
   */
  String text(String keyId, byte[] keyHash, long begunSeconds, long expirySeconds) {
    if (macs.isEmpty()) {
      throw new IllegalStateException("sessions are opened by a running server only");
    }
    String sealed = keyId + '.' + begunSeconds + '-' + expirySeconds;
    return sealed + '.' + HEX.formatHex(seal(macs.getFirst(), sealed, keyHash));
  }

  /** Parses a text; false when it is not that of a session. Never throws. */
  boolean read(String from) {
    text = from;
    if (from.length() > LENGTH_MAX) {
      return false;
    }
    idEnd = from.indexOf('.');
    expiryEnd = idEnd < 1 ? -1 : from.indexOf('.', idEnd + 1);
    int dash = expiryEnd < 0 ? -1 : from.indexOf('-', idEnd + 1);
    if (dash < 0 || dash > expiryEnd) {
      return false;
    }
    begunSeconds = number(idEnd + 1, dash);
    expirySeconds = number(dash + 1, expiryEnd);
    return begunSeconds >= 0
        && expirySeconds >= 0
        && from.length() - expiryEnd - 1 == SEAL_CHARS
        && readSeal();
  }

  /** The whole text that was read last; the key's id is its first part. */
  String text() {
    return text;
  }

  int idEnd() {
    return idEnd;
  }

  /** When the session was opened. */
  long begunSeconds() {
    return begunSeconds;
  }

  long expirySeconds() {
    return expirySeconds;
  }

  /** Whether the text that was read last was sealed for that key. Compares in constant time. */
  boolean isOf(byte[] keyHash) {
    String sealed = text.substring(0, expiryEnd);
    boolean isOurs = false;
    for (Mac mac : macs) {
      isOurs |= MessageDigest.isEqual(seal(mac, sealed, keyHash), shown);
    }
    return isOurs;
  }

  /** Drops the reference to the text. */
  void clear() {
    text = "";
  }

  /** The digits there as a number; -1 when they are none, or too many. */
  private long number(int start, int end) {
    if (start == end || end - start > TIME_DIGITS_MAX) {
      return -1;
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
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

  /** Ready to seal with a secret. */
  static Mac mac(byte[] secret) {
    Mac mac = Sha256.hmac();
    try {
      mac.init(new SecretKeySpec(secret, ALGORITHM));
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("a secret is no key for " + ALGORITHM, e);
    }
    return mac;
  }

  private static byte[] seal(Mac mac, String sealed, byte[] keyHash) {
    mac.update(PURPOSE.getBytes(StandardCharsets.UTF_8));
    mac.update(sealed.getBytes(StandardCharsets.UTF_8));
    mac.update((byte) '.');
    return mac.doFinal(keyHash);
  }
}
