package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Hides API keys in bytes that are about to be kept, wherever a caller has put them: a Gilmok key,
 * {@code gk_<id>_<secret>}, and the value of any member or parameter named {@code key}. Pure
 * functions.
 */
public final class HiddenKey {
  private static final String STARS = "***";

  /** A secret has 52 characters; a shorter one is part of a key that was cut. */
  private static final int SECRET_MIN = 16;

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long UNDERSCORES = '_' * ONES;

  private HiddenKey() {}

  /** Whether there may be a key: a quick check with false positives. */
  public static boolean mayBeIn(byte[] bytes, int from, int to) {
    for (int i = from + 1; i + 1 < to; i++) {
      byte before = bytes[i - 1];
      if (switch (lower(bytes[i])) {
        case 'k' -> lower(before) == 'g' && bytes[i + 1] == '_';
        case 'e' -> before == 'k' && bytes[i + 1] == 'y';
        case 'u' -> before == '\\';
        default -> before == '%' && bytes[i] >= '3' && bytes[i] <= '7';
      }) {
        return true;
      }
    }
    return false;
  }

  /** Whether a text holds a key, which {@link #hide} would hide. */
  public static boolean isIn(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!mayBeIn(bytes, 0, bytes.length)) {
      return false;
    }
    JsonBuffer hidden = new JsonBuffer();
    hide(bytes, 0, bytes.length, hidden);
    return !Arrays.equals(hidden.copy(), bytes);
  }

  /**
   * Writes JSON, a form or any text with {@code ***} in place of each Gilmok key and of the value
   * of each JSON member or parameter {@code key}, however its letters are escaped.
   */
  public static void hide(byte[] raw, int from, int to, JsonBuffer out) {
    Unescaped text = new Unescaped(raw, from, to);
    byte[] bytes = text.bytes;
    int written = from;
    for (int i = 0; i < text.size; ) {
      int value = i;
      int end = lower(bytes[i]) == 'g' ? keyEnd(bytes, i, text.size) : i;
      if (bytes[i] == 'k' && isText(bytes, i, text.size, "key")) {
        value = valueOf(bytes, i, text.size);
        end = value < 0 ? i : valueEnd(bytes, value, text.size);
      }
      if (end > i && end > value) {
        out.raw(raw, written, text.at[value] - written);
        out.ascii(isMember(bytes, value, i) ? "\"" + STARS + "\"" : STARS);
        written = text.at[end];
        i = end;
      } else {
        i++;
      }
    }
    out.raw(raw, written, to - written);
  }

  /**
   * A text with the escapes of JSON and URLs undone for letters, digits and underscores, and the
   * place in the original of each of its bytes.
   */
  private static final class Unescaped {
    final byte[] bytes;
    final int[] at;
    int size;

    Unescaped(byte[] raw, int from, int to) {
      bytes = new byte[to - from];
      at = new int[to - from + 1];
      for (int i = from; i < to; ) {
        int digits = raw[i] == '%' ? i + 1 : isText(raw, i, to, "\\u00") ? i + 4 : to;
        int code = digits + 2 <= to ? hex(raw[digits]) << 4 | hex(raw[digits + 1]) : -1;
        boolean isEscaped = code >= 0 && code < 128 && (isOfKey((byte) code) || code == '_');
        int width = isEscaped ? digits + 2 - i : isText(raw, i, to, "\\\\") ? 2 : 1;
        for (int j = 0; j < (isEscaped ? 1 : width); j++) {
          at[size] = i + j;
          bytes[size++] = isEscaped ? (byte) code : raw[i + j];
        }
        i += width;
      }
      at[size] = to;
    }

    /** The digit's value; negative if it is no digit, even after a shift. */
    private static int hex(byte digit) {
      return Character.digit(digit, 16);
    }
  }

  /**
   * Hides keys in place, for bytes whose length must stay: the secrets of Gilmok keys become stars.
   */
  public static void in(byte[] bytes, int from, int to) {
    for (int i = underscore(bytes, from + 2, to); i < to; i = underscore(bytes, i + 1, to)) {
      if (lower(bytes[i - 1]) == 'k' && lower(bytes[i - 2]) == 'g') {
        int id = end(bytes, i + 1, to);
        int secret = id + 1;
        int end = id < to && bytes[id] == '_' ? secretEnd(bytes, secret, to) : secret;
        if (end - secret >= SECRET_MIN) {
          Arrays.fill(bytes, secret, end, (byte) '*');
          i = end;
        }
      }
    }
  }

  /**
   * Where the next underscore is; the end or later if there is none. Eight bytes at a time, as
   * every collected byte passes here: a byte that becomes 0 by the exclusive or sets its highest
   * bit, and the lowest bit that is set is exact (H. S. Warren, Hacker's Delight, 6-1).
   */
  private static int underscore(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long word = LittleEndian.getLong(bytes, i) ^ UNDERSCORES;
      long zeros = (word - ONES) & ~word & HIGH_BITS;
      if (zeros != 0) {
        return i + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
      }
    }
    while (i < to && bytes[i] != '_') {
      i++;
    }
    return i;
  }

  /** Where the Gilmok key that begins here ends; {@code at} when none begins. */
  private static int keyEnd(byte[] bytes, int at, int to) {
    if (to - at < 3 || lower(bytes[at + 1]) != 'k' || bytes[at + 2] != '_') {
      return at;
    }
    int id = end(bytes, at + 3, to);
    if (id == at + 3 || id >= to || bytes[id] != '_') {
      return at;
    }
    int secret = secretEnd(bytes, id + 1, to);
    return secret == id + 1 ? at : secret;
  }

  /** Where a secret ends, together with all keys that follow it without a gap. */
  private static int secretEnd(byte[] bytes, int from, int to) {
    int p = end(bytes, from, to);
    while (p > from && p < to && bytes[p] == '_') {
      p = end(bytes, p + 1, to);
    }
    return p;
  }

  /** Where the value of the name "key" at this place begins; -1 when it is no name. */
  private static int valueOf(byte[] bytes, int at, int to) {
    int behind = at + 3;
    if (behind >= to) {
      return -1;
    }
    if (bytes[behind] == '=' && (at == 0 || isBefore(bytes[at - 1]))) {
      return behind + 1;
    }
    if (at == 0 || bytes[at - 1] != '"' || bytes[behind] != '"') {
      return -1;
    }
    int colon = blanks(bytes, behind + 1, to);
    if (colon >= to || bytes[colon] != ':') {
      return -1;
    }
    int value = blanks(bytes, colon + 1, to);
    return value < to ? value : -1;
  }

  /** Whether the value follows a colon, and not an equals sign. */
  private static boolean isMember(byte[] bytes, int value, int name) {
    return value > name && bytes[name + 3] == '"';
  }

  private static int valueEnd(byte[] bytes, int value, int to) {
    if (bytes[value - 1] != '=' && bytes[value] == '"') {
      return stringEnd(bytes, value, to);
    }
    if (bytes[value - 1] != '=' && (bytes[value] == '{' || bytes[value] == '[')) {
      return nestEnd(bytes, value, to);
    }
    int p = value;
    while (p < to && !isBehind(bytes[p])) {
      p++;
    }
    return p;
  }

  private static int stringEnd(byte[] bytes, int quote, int to) {
    int p = quote + 1;
    while (p < to && bytes[p] != '"') {
      p += bytes[p] == '\\' ? 2 : 1;
    }
    return Math.min(to, p + 1);
  }

  /** Where an object or array ends; the end of the text if it was cut. */
  private static int nestEnd(byte[] bytes, int from, int to) {
    int depth = 0;
    int p = from;
    while (p < to) {
      byte b = bytes[p];
      p = b == '"' ? stringEnd(bytes, p, to) : p + 1;
      depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
      if (depth == 0) {
        return p;
      }
    }
    return to;
  }

  /** Whether this byte can precede a parameter's name. */
  private static boolean isBefore(byte b) {
    return b == '?' || b == '&' || b == ';' || b == '"' || isBlank(b);
  }

  /** Whether this byte ends a number, a literal or a parameter. */
  private static boolean isBehind(byte b) {
    return b == '&' || b == ';' || b == ',' || b == '}' || b == ']' || b == '"' || isBlank(b);
  }

  private static boolean isBlank(byte b) {
    return b >= 0 && b <= ' ';
  }

  private static int blanks(byte[] bytes, int from, int to) {
    int p = from;
    while (p < to && isBlank(bytes[p])) {
      p++;
    }
    return p;
  }

  private static boolean isText(byte[] bytes, int at, int to, String text) {
    if (to - at < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Where a run of letters and digits ends. */
  private static int end(byte[] bytes, int from, int to) {
    int p = from;
    while (p < to && isOfKey(bytes[p])) {
      p++;
    }
    return p;
  }

  /**
   * Whether this byte can be in a key: small letters and digits, or capitals if someone changed
   * them.
   */
  private static boolean isOfKey(byte b) {
    return (lower(b) >= 'a' && lower(b) <= 'z') || (b >= '0' && b <= '9');
  }

  private static byte lower(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
  }
}
