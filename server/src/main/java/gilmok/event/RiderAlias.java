package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rider's id and the pseudonym that takes its place where a record stays after the rider's
 * erasure. Immutable.
 *
 * <p>A text that is the id becomes the pseudonym, and so does {@code rider:id}, the author of an
 * event. Within a longer text, as a name or a reason that people have written, the id is replaced
 * where no letter or digit touches it; an id of up to 3 characters is not, as it would be found in
 * addresses and amounts. A text that is the id of one of the rider's phones becomes the pseudonym,
 * too.
 *
 * @param phones the ids of the rider's phones
 */
public record RiderAlias(String id, String pseudonym, List<String> phones) implements ErasedRiders {
  private static final int WITHIN_CHARS_MIN = 4;

  public RiderAlias {
    phones = List.copyOf(phones);
  }

  /** Of a rider whose phones have no ids of their own. */
  public RiderAlias(String id, String pseudonym) {
    this(id, pseudonym, List.of());
  }

  /** The pseudonym for the rider's id, and for that of one of the rider's phones. */
  @Override
  public @Nullable String pseudonym(String text) {
    return text.equals(id) || phones.contains(text) ? pseudonym : null;
  }

  /** A text with the pseudonym in the id's place; the same object where the id is not in it. */
  @Override
  public String in(String text) {
    if (pseudonym(text) != null) {
      return pseudonym;
    }
    if (text.length() == AUTHOR.length() + id.length()
        && text.startsWith(AUTHOR)
        && text.endsWith(id)) {
      return AUTHOR + pseudonym;
    }
    String then = text.indexOf('/') < 0 ? text : betweenSlashes(text);
    return id.length() < WITHIN_CHARS_MIN || !then.contains(id) ? then : within(then);
  }

  private String betweenSlashes(String text) {
    String[] parts = text.split("/", -1);
    boolean isFound = false;
    for (int i = 0; i < parts.length; i++) {
      boolean isOne = pseudonym(parts[i]) != null;
      isFound |= isOne;
      parts[i] = isOne ? pseudonym : parts[i];
    }
    return isFound ? String.join("/", parts) : text;
  }

  /** The same of a text that may be absent. */
  public @Nullable String inOptional(@Nullable String text) {
    return text == null ? null : in(text);
  }

  private String within(String text) {
    StringBuilder out = new StringBuilder(text.length() + pseudonym.length());
    int from = 0;
    boolean isFound = false;
    for (int at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
      int end = at + id.length();
      boolean isWhole = at >= from && isFree(text, at - 1) && isFree(text, end);
      if (isWhole) {
        out.append(text, from, at).append(pseudonym);
        from = end;
        isFound = true;
      }
    }
    return isFound ? out.append(text, from, text.length()).toString() : text;
  }

  private static boolean isFree(String text, int at) {
    return at < 0 || at >= text.length() || !Character.isLetterOrDigit(text.charAt(at));
  }

  /**
   * JSON with the pseudonym in the id's place, in its texts and in its names.
   *
   * @return null where the id is not in it
   */
  public byte @Nullable [] inJson(byte[] json, int from, int to) {
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
      String text = new String(json, begin, end - begin, StandardCharsets.UTF_8);
      String plain = isEscaped ? unescaped(text) : text;
      String then = in(plain);
      if (!then.equals(plain)) {
        out = out == null ? new JsonBuffer() : out;
        out.raw(json, copied, begin - 1 - copied).string(then);
        copied = at;
      }
    }
    return out == null ? null : out.raw(json, copied, Math.max(0, to - copied)).copy();
  }

  /** The same of JSON in a text; the same object where the id is not in it. */
  public String inJson(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    byte[] then = inJson(bytes, 0, bytes.length);
    return then == null ? json : new String(then, StandardCharsets.UTF_8);
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

  /** Whether bytes, of whatever form, have the id's in them, as UTF-8 or escaped as in JSON. */
  public boolean isIn(byte[] bytes) {
    byte[] plain = id.getBytes(StandardCharsets.UTF_8);
    JsonBuffer quoted = new JsonBuffer().string(id);
    return contains(bytes, plain)
        || contains(bytes, Arrays.copyOfRange(quoted.bytes(), 1, quoted.size() - 1));
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }
}
