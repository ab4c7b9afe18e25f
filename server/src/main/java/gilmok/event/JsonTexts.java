package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The texts that are values in JSON, one after the other. Sound JSON is expected. No state. */
public final class JsonTexts {
  private JsonTexts() {}

  /**
   * JSON with other texts; what is between them stays byte for byte, and so do the names of
   * members.
   *
   * @param change gets each text, and returns it or another
   * @return null when no text is another
   */
  public static byte @Nullable [] changed(
      byte[] json, int from, int to, UnaryOperator<String> change) {
    JsonBuffer out = null;
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
      if (isName(json, at, to)) {
        continue;
      }
      String text = new String(json, begin, end - begin, StandardCharsets.UTF_8);
      String plain = isEscaped ? unescaped(text) : text;
      String then = change.apply(plain);
      if (!then.equals(plain)) {
        out = out == null ? new JsonBuffer() : out;
        out.raw(json, copied, begin - 1 - copied).string(then);
        copied = at;
      }
    }
    return out == null ? null : out.raw(json, copied, Math.max(0, to - copied)).copy();
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
      if (escaped == 'u' && at + 5 <= text.length()) {
        out.append((char) Integer.parseInt(text, at + 1, at + 5, 16));
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
}
