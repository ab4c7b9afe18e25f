package gilmok.compress;

import org.jspecify.annotations.Nullable;

/**
 * Parses the request header Accept-Encoding (RFC 9110, 12.5.3) and chooses the coding of a reply.
 * Pure functions for event loops: they never allocate and never throw, whatever a client sends.
 *
 * <p>Weights are in whole thousandths. {@code *} sets the weight of each of our codings that the
 * header does not name. Identity is acceptable unless the header refuses it; it is preferred to a
 * compressed body only if its own weight is higher. A malformed header counts as none: the body is
 * sent uncompressed, which every client can read. The same holds where the header refuses every
 * coding, as the RFC permits.
 */
public final class AcceptEncoding {
  private static final int NOT_NAMED = -1;
  private static final int MALFORMED = -2;
  private static final int WHOLE = 1000;
  private static final String GZIP = "gzip";
  private static final String X_GZIP = "x-gzip";
  private static final String ZSTD = "zstd";
  private static final String IDENTITY = "identity";

  private AcceptEncoding() {}

  /**
   * The best coding for a reply. Where weights are equal, zstd goes before gzip and gzip before
   * identity.
   */
  public static ContentCoding best(@Nullable String header) {
    if (header == null) {
      return ContentCoding.IDENTITY;
    }
    int zstd = weight(header, ZSTD, ZSTD);
    int gzip = weight(header, GZIP, X_GZIP);
    if (zstd == MALFORMED || (zstd <= 0 && gzip <= 0)) {
      return ContentCoding.IDENTITY;
    }
    int packed = Math.max(zstd, gzip);
    if (packed < named(header, IDENTITY, IDENTITY)) {
      return ContentCoding.IDENTITY;
    }
    return zstd == packed ? ContentCoding.ZSTD : ContentCoding.GZIP;
  }

  /** A coding's own weight; the weight of {@code *} if the header does not name it. */
  private static int weight(String header, String name, String alias) {
    int own = named(header, name, alias);
    return own == NOT_NAMED ? named(header, "*", "*") : own;
  }

  /**
   * The weight of a name; the least one if the header has the name several times. Parses and checks
   * the whole header in one pass.
   */
  private static int named(String header, String name, String alias) {
    int found = NOT_NAMED;
    int length = header.length();
    for (int from = 0; from <= length; ) {
      int to = header.indexOf(',', from);
      to = to < 0 ? length : to;
      int first = afterBlanks(header, from, to);
      int last = beforeBlanks(header, first, to);
      if (first < last) {
        int nameEnd = afterToken(header, first, last);
        int weight = weightAfter(header, nameEnd, last);
        if (nameEnd == first || weight == MALFORMED) {
          return MALFORMED;
        }
        if (is(header, first, nameEnd, name) || is(header, first, nameEnd, alias)) {
          found = found == NOT_NAMED ? weight : Math.min(found, weight);
        }
      }
      from = to + 1;
    }
    return found;
  }

  /**
   * The weight behind a name, as in {@code ;q=0.5}, with blanks around the semicolon; malformed if
   * anything else follows the name.
   */
  private static int weightAfter(String header, int from, int to) {
    int at = afterBlanks(header, from, to);
    if (at == to) {
      return WHOLE;
    }
    if (header.charAt(at) != ';') {
      return MALFORMED;
    }
    at = afterBlanks(header, at + 1, to);
    boolean isWeight =
        to - at >= 3 && (header.charAt(at) | 0x20) == 'q' && header.charAt(at + 1) == '=';
    return isWeight ? thousandths(header, at + 2, to) : MALFORMED;
  }

  /** Parses a qvalue: 0 or 1, and up to three digits after a decimal point. */
  private static int thousandths(String header, int from, int to) {
    int whole = header.charAt(from) - '0';
    if (whole < 0
        || whole > 1
        || to - from > 5
        || (to - from > 1 && header.charAt(from + 1) != '.')) {
      return MALFORMED;
    }
    int value = whole * WHOLE;
    int unit = WHOLE / 10;
    for (int at = from + 2; at < to; at++, unit /= 10) {
      int digit = header.charAt(at) - '0';
      if (digit < 0 || digit > 9) {
        return MALFORMED;
      }
      value += digit * unit;
    }
    return value > WHOLE ? MALFORMED : value;
  }

  private static boolean is(String header, int from, int to, String name) {
    return to - from == name.length() && header.regionMatches(true, from, name, 0, name.length());
  }

  private static int afterBlanks(String header, int from, int to) {
    int at = from;
    while (at < to && isBlank(header.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int beforeBlanks(String header, int from, int to) {
    int at = to;
    while (at > from && isBlank(header.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private static int afterToken(String header, int from, int to) {
    int at = from;
    while (at < to && isOfToken(header.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** Whether a character may be part of a token (RFC 9110, 5.6.2). */
  private static boolean isOfToken(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }
}
