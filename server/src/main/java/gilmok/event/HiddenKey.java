package gilmok.event;

import java.util.Arrays;

/**
 * Hides keys in what is about to be kept, wherever a caller has put them: a key of ours, {@code
 * gk_<id>_<secret>}, and whatever a member or parameter named {@code key} holds. Pure functions.
 */
public final class HiddenKey {
  private static final String STARS = "***";

  /** Of 52 characters; a shorter one is part of a key that was cut. */
  private static final int SECRET_MIN = 16;

  private HiddenKey() {}

  /** Whether there may be one: a quick look, that sees some where none is. */
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

  /**
   * Writes JSON, a form or any text with {@code ***} in the place of each: of a key of ours, of
   * whatever a JSON member {@code key} holds, of a parameter {@code key}; however its letters are
   * escaped.
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
   * A text in which letters, digits and underscores that were escaped, as JSON or URLs do it, stand
   * as themselves, and where each of its bytes was.
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

    /** Negative, also when it is shifted, where that is no digit. */
    private static int hex(byte digit) {
      return Character.digit(digit, 16);
    }
  }

  /**
   * Hides in place, for bytes of which the length must stay: the secrets of keys of ours become
   * stars.
   */
  public static void in(byte[] bytes, int from, int to) {
    for (int i = from + 2; i < to; i++) {
      if (bytes[i] == '_' && lower(bytes[i - 1]) == 'k' && lower(bytes[i - 2]) == 'g') {
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

  /** Where a key of ours that begins here ends; here when none does. */
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

  /** Where a secret ends, and with it all keys that follow without anything between. */
  private static int secretEnd(byte[] bytes, int from, int to) {
    int p = end(bytes, from, to);
    while (p > from && p < to && bytes[p] == '_') {
      p = end(bytes, p + 1, to);
    }
    return p;
  }

  /** Where the value begins of what is named by the text "key" here; -1 when that is no name. */
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

  /** Whether a value stands behind a colon, and not behind an equals sign. */
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

  /** Where an object or array ends; the end of all where it was cut off. */
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

  /** What can stand before the name of a parameter. */
  private static boolean isBefore(byte b) {
    return b == '?' || b == '&' || b == ';' || b == '"' || isBlank(b);
  }

  /** What ends a number, a literal or a parameter. */
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

  /** Keys are small letters and digits; somebody may have made them big. */
  private static boolean isOfKey(byte b) {
    return (lower(b) >= 'a' && lower(b) <= 'z') || (b >= '0' && b <= '9');
  }

  private static byte lower(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
  }
}
