package gilmok.auth;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The key that a request presents, found without copying it: where it starts and ends in a header's
 * text, and its hash. Not thread-safe: one for each thread, reused for each request.
 */
final class PresentedKey {
  /** The longest key. A longer text can only be a token ({@link JwtCheck}). */
  static final int LENGTH_MAX = 256;

  private static final int HASH_BYTES = 32;
  private static final String BEARER = "Bearer ";
  private static final String BASIC = "Basic ";

  private final MessageDigest sha256 = Sha256.digest();
  private final byte[] bytes = new byte[LENGTH_MAX];
  private final byte[] hash = new byte[HASH_BYTES];
  private String text = "";
  private int start;
  private int end;

  /**
   * Whether the header Authorization has a token, which is then taken. It says who somebody is, so
   * it counts before a key that a whole fleet may share.
   */
  boolean findToken(@Nullable String authorization) {
    return authorization != null
        && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        && take(authorization, BEARER.length())
        && JwtCheck.isLikeOne(text, start, end)
        && bounded() == null;
  }

  /**
   * Takes the first of the three that is present, which means neither null nor blank.
   *
   * @return null when a key was found; otherwise the denial
   */
  @Nullable Denial find(
      @Nullable String apiKey, @Nullable String authorization, @Nullable String parameter) {
    if (apiKey != null && take(apiKey, 0)) {
      return bounded();
    }
    if (authorization != null && take(authorization, 0)) {
      return authorized();
    }
    if (parameter != null && take(parameter, 0)) {
      return bounded();
    }
    return Denial.MISSING;
  }

  String text() {
    return text;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** Drops the reference to the text, so that no secret stays in memory because of it. */
  void clear() {
    text = "";
    start = 0;
    end = 0;
  }

  /**
   * SHA-256 of a piece of a text, at most {@link #LENGTH_MAX} long; null when it is not all ASCII.
   * Returns the same array each time.
   */
  byte @Nullable [] hash(String of, int from, int to) {
    int length = to - from;
    for (int i = 0; i < length; i++) {
      char c = of.charAt(from + i);
      if (c >= 0x80) {
        return null;
      }
      bytes[i] = (byte) c;
    }
    sha256.update(bytes, 0, length);
    try {
      sha256.digest(hash, 0, HASH_BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 is not " + HASH_BYTES + " bytes long", e);
    }
    return hash;
  }

  /** SHA-256 of a whole text, at most {@link #LENGTH_MAX} long; null when it is not all ASCII. */
  static byte @Nullable [] hashOf(String text) {
    return new PresentedKey().hash(text, 0, text.length());
  }

  private @Nullable Denial authorized() {
    int length = BEARER.length();
    if (text.regionMatches(true, start, BEARER, 0, length)) {
      return take(text, start + length) ? bounded() : Denial.UNKNOWN;
    }
    length = BASIC.length();
    if (text.regionMatches(true, start, BASIC, 0, length)) {
      return take(text, start + length) && basic() ? bounded() : Denial.UNKNOWN;
    }
    return Denial.UNKNOWN;
  }

  /** Reads Base64 of {@code user:key}; the user is ignored. */
  private boolean basic() {
    if (end - start > 2 * JwtCheck.LENGTH_MAX || !isBase64()) {
      return false;
    }
    byte[] encoded = text.substring(start, end).getBytes(StandardCharsets.ISO_8859_1);
    String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
    int colon = pair.indexOf(':');
    return colon >= 0 && take(pair, colon + 1);
  }

  /** Checks for Base64 first, so that a refusal costs no exception of the decoder. */
  private boolean isBase64() {
    int last = end;
    while (last > start && end - last < 2 && text.charAt(last - 1) == '=') {
      last--;
    }
    for (int i = start; i < last; i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (!letter && (c < '0' || c > '9') && c != '+' && c != '/') {
        return false;
      }
    }
    return last == end ? (last - start) % 4 != 1 : (end - start) % 4 == 0;
  }

  /** Takes the text from there on, without blanks around it; false when nothing is left. */
  private boolean take(String from, int first) {
    int last = from.length();
    while (first < last && from.charAt(first) <= ' ') {
      first++;
    }
    while (last > first && from.charAt(last - 1) <= ' ') {
      last--;
    }
    text = from;
    start = first;
    end = last;
    return last > first;
  }

  private @Nullable Denial bounded() {
    return end - start <= JwtCheck.LENGTH_MAX ? null : Denial.UNKNOWN;
  }
}
