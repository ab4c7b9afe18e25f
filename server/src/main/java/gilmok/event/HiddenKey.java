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
      if (bytes[i] == 'k'
          ? bytes[i - 1] == 'g' && bytes[i + 1] == '_'
          : bytes[i] == 'e' && bytes[i - 1] == 'k' && bytes[i + 1] == 'y') {
        return true;
      }
    }
    return false;
  }

  /**
   * Writes JSON, a form or any text with {@code ***} in the place of each: of a key of ours, of the
   * value of a JSON member {@code key} that is no object or array, of a parameter {@code key}.
   */
  public static void hide(byte[] bytes, int from, int to, JsonBuffer out) {
    int written = from;
    for (int i = from; i < to; ) {
      int value = i;
      int end = bytes[i] == 'g' ? keyEnd(bytes, i, to) : i;
      if (bytes[i] == 'k' && isText(bytes, i, to, "key")) {
        value = valueOf(bytes, i, from, to);
        end = value < 0 ? i : valueEnd(bytes, value, to);
      }
      if (end > i && end > value) {
        out.raw(bytes, written, value - written);
        out.ascii(isMember(bytes, value, i) ? "\"" + STARS + "\"" : STARS);
        written = end;
        i = end;
      } else {
        i++;
      }
    }
    out.raw(bytes, written, to - written);
  }

  /**
   * Hides in place, for bytes of which the length must stay: the secrets of keys of ours become
   * stars.
   */
  public static void in(byte[] bytes, int from, int to) {
    for (int i = from + 2; i < to; i++) {
      if (bytes[i] == '_' && bytes[i - 1] == 'k' && bytes[i - 2] == 'g') {
        int id = end(bytes, i + 1, to);
        int secret = id + 1;
        int end = id < to && bytes[id] == '_' ? end(bytes, secret, to) : secret;
        if (end - secret >= SECRET_MIN) {
          Arrays.fill(bytes, secret, end, (byte) '*');
          i = end;
        }
      }
    }
  }

  /** Where a key of ours that begins here ends; here when none does. */
  private static int keyEnd(byte[] bytes, int at, int to) {
    if (!isText(bytes, at, to, "gk_")) {
      return at;
    }
    int id = end(bytes, at + 3, to);
    if (id == at + 3 || id >= to || bytes[id] != '_') {
      return at;
    }
    int secret = end(bytes, id + 1, to);
    return secret == id + 1 ? at : secret;
  }

  /** Where the value begins of what is named by the text "key" here; -1 when that is no name. */
  private static int valueOf(byte[] bytes, int at, int from, int to) {
    int behind = at + 3;
    if (behind >= to) {
      return -1;
    }
    if (bytes[behind] == '=' && (at == from || isBefore(bytes[at - 1]))) {
      return behind + 1;
    }
    if (at == from || bytes[at - 1] != '"' || bytes[behind] != '"') {
      return -1;
    }
    int colon = blanks(bytes, behind + 1, to);
    if (colon >= to || bytes[colon] != ':') {
      return -1;
    }
    int value = blanks(bytes, colon + 1, to);
    return value < to && bytes[value] != '{' && bytes[value] != '[' ? value : -1;
  }

  /** Whether a value stands behind a colon, and not behind an equals sign. */
  private static boolean isMember(byte[] bytes, int value, int name) {
    return value > name && bytes[name + 3] == '"';
  }

  private static int valueEnd(byte[] bytes, int value, int to) {
    if (bytes[value - 1] != '=' && bytes[value] == '"') {
      int p = value + 1;
      while (p < to && bytes[p] != '"') {
        p += bytes[p] == '\\' ? 2 : 1;
      }
      return Math.min(to, p + 1);
    }
    int p = value;
    while (p < to && !isBehind(bytes[p])) {
      p++;
    }
    return p;
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

  /** Where a run of small letters and digits ends. */
  private static int end(byte[] bytes, int from, int to) {
    int p = from;
    while (p < to
        && ((bytes[p] >= 'a' && bytes[p] <= 'z') || (bytes[p] >= '0' && bytes[p] <= '9'))) {
      p++;
    }
    return p;
  }
}
