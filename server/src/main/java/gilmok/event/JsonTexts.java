package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The texts in JSON, one after the other. What is cut off, or is no JSON, is read as far as it
 * goes.
 */
public final class JsonTexts {
  private JsonTexts() {}

  /** Says what takes the place of a text. */
  @FunctionalInterface
  public interface Change {
    /**
     * A text that is a value: the same, or another.
     *
     * @param member the name that was read last: of its own member, or of the array that it is in
     */
    String value(String member, String text);

    /** The name of a member: the same, or another. */
    default String name(String name) {
      return name;
    }
  }

  /**
   * JSON with other texts; what is between them stays byte for byte.
   *
   * @return null when no text is another
   */
  public static byte @Nullable [] changed(byte[] json, int from, int to, Change change) {
    JsonBuffer out = null;
    String member = "";
    int copied = from;
    int at = from;
    while (at < to) {
      if (json[at++] != '"') {
        continue;
      }
      int begin = at;
      boolean isEscaped = false;
      while (at < to && json[at] != '"') {
        isEscaped |= json[at] == '\\';
        at += json[at] == '\\' ? 2 : 1;
      }
      int end = Math.min(at, to);
      at = Math.min(to, end + 1);
      String text = new String(json, begin, end - begin, StandardCharsets.UTF_8);
      String plain = isEscaped ? unescaped(text) : text;
      boolean isName = isName(json, at, to);
      member = isName ? plain : member;
      String then = isName ? change.name(plain) : change.value(member, plain);
      if (!then.equals(plain)) {
        out = out == null ? new JsonBuffer() : out;
        out.raw(json, copied, begin - 1 - copied).string(then);
        copied = at;
      }
    }
    return out == null ? null : out.raw(json, copied, Math.max(0, to - copied)).copy();
  }

  /** The same of JSON in a text; the same object when no text is another. */
  public static String changed(String json, Change change) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    byte[] then = changed(bytes, 0, bytes.length, change);
    return then == null ? json : new String(then, StandardCharsets.UTF_8);
  }

  /** Whether a text that is a value is such a one; gets the name of its member, and the text. */
  public static boolean anyValue(
      byte[] json, int from, int to, BiPredicate<String, String> isWanted) {
    boolean[] isFound = {false};
    Change look =
        (member, text) -> {
          isFound[0] |= isWanted.test(member, text);
          return text;
        };
    byte[] _ = changed(json, from, to, look);
    return isFound[0];
  }

  private static boolean isName(byte[] json, int behind, int to) {
    int at = behind;
    while (at < to && (json[at] == ' ' || json[at] == '\n' || json[at] == '\t')) {
      at++;
    }
    return at < to && json[at] == ':';
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c != '\\' || at + 1 == text.length()) {
        out.append(c);
        continue;
      }
      char escaped = text.charAt(++at);
      int digits = escaped == 'u' && at + 5 <= text.length() ? hex(text, at + 1) : -1;
      if (digits >= 0) {
        out.append((char) digits);
        at += 4;
      } else {
        out.append(
            switch (escaped) {
              case 'b' -> '\b';
              case 'f' -> '\f';
              case 'n' -> '\n';
              case 'r' -> '\r';
              case 't' -> '\t';
              default -> escaped;
            });
      }
    }
    return out.toString();
  }

  private static int hex(String text, int at) {
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
