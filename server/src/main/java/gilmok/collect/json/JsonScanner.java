package gilmok.collect.json;

import gilmok.event.Decimal;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import gilmok.event.Utf8;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scans JSON values in bytes that zeros follow, so that no byte has to be checked for being the
 * last. Every method takes a position and returns the one behind what it read, or {@link #BROKEN}
 * after noting the place and reason of the syntax error.
 *
 * <p>Not thread-safe: part of its decoder.
 */
final class JsonScanner {
  static final int BROKEN = -1;

  /** How many zeros follow the text. */
  static final int ZEROS = 32;

  /** How deep arrays and objects can be nested inside a record. */
  static final int DEPTH_MAX = 32;

  private static final int SCRATCH_BYTES_KEPT = 1 << 18;
  private static final int TRUE = 't' | ('r' << 8) | ('u' << 16) | ('e' << 24);
  private static final int NULL = 'n' | ('u' << 8) | ('l' << 16) | ('l' << 24);
  private static final int ALSE = 'a' | ('l' << 8) | ('s' << 16) | ('e' << 24);

  private final Decimal decimal;
  private byte[] bytes = {};
  private int end;
  private byte[] scratch = new byte[256];

  private int errorOffset;
  private String errorReason = "";

  private byte[] text = {};
  private int textOffset;
  private int textLength;
  private boolean textEscaped;
  private @Nullable String textFault;

  JsonScanner(Decimal decimal) {
    this.decimal = decimal;
  }

  void begin(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
    if (scratch.length > SCRATCH_BYTES_KEPT) {
      scratch = new byte[256];
    }
  }

  /** Notes a syntax error. */
  int broken(int p, String reason) {
    errorOffset = Math.min(p, end);
    errorReason = p >= end ? "unexpected end" : reason;
    return BROKEN;
  }

  /** Notes that the text is empty. */
  void empty() {
    errorOffset = end;
    errorReason = Reason.EMPTY;
  }

  int errorOffset() {
    return errorOffset;
  }

  String errorReason() {
    return errorReason;
  }

  /** Skips a byte order mark and white space at the beginning of the text. */
  int start() {
    boolean mark =
        end >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf;
    return blanks(mark ? 3 : 0);
  }

  /** Skips white space. */
  int blanks(int from) {
    int p = from;
    while (true) {
      byte b = bytes[p];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return p;
      }
      p++;
    }
  }

  /** Reads the required colon and the white space around it. */
  int colon(int from) {
    int p = blanks(from);
    return bytes[p] == ':' ? blanks(p + 1) : broken(p, "expected a colon");
  }

  /** Reads the string that starts here; {@link #text} and the other methods then describe it. */
  int string(int from) {
    int start = from + 1;
    int p = start;
    boolean wide = false;
    textEscaped = false;
    textFault = null;
    while (true) {
      p += Bytes.before(Bytes.marks(Bytes.word(bytes, p)));
      byte b = bytes[p];
      if (b == '"') {
        break;
      }
      if (b == '\\') {
        textEscaped = true;
        p = escape(p);
        if (p < 0) {
          return BROKEN;
        }
      } else if (b >= 0 && b < 0x20) {
        return broken(p, "control character in a string");
      } else {
        wide |= b < 0;
        p += isPlain(b) ? 0 : 1;
      }
    }
    text = bytes;
    textOffset = start;
    textLength = p - start;
    if (wide && !Utf8.isValid(bytes, start, p)) {
      textFault = Reason.INVALID_UTF8;
    }
    if (textEscaped) {
      unescape(start, p);
    }
    return p + 1;
  }

  private static boolean isPlain(byte b) {
    return b >= 0x20 && b < 0x7f && b != '"' && b != '\\';
  }

  /** Checks the escape that starts here. */
  private int escape(int p) {
    switch (bytes[p + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
        return p + 2;
      }
      case 'u' -> {
        for (int i = 2; i < 6; i++) {
          if (Character.digit(bytes[p + i], 16) < 0) {
            return broken(p + i, "expected a hexadecimal digit");
          }
        }
        return p + 6;
      }
      default -> {
        return broken(p + 1, "no such escape");
      }
    }
  }

  /**
   * Copies a string into the scratch array as UTF-8, with its escapes, which were checked,
   * resolved.
   */
  private void unescape(int start, int stop) {
    if (scratch.length < stop - start) {
      scratch = new byte[2 * (stop - start)];
    }
    int size = 0;
    int p = start;
    while (p < stop) {
      byte b = bytes[p];
      if (b != '\\') {
        scratch[size++] = b;
        p++;
      } else if (bytes[p + 1] != 'u') {
        scratch[size++] = simple(bytes[p + 1]);
        p += 2;
      } else {
        int codePoint = hex(p + 2);
        p += 6;
        if (codePoint >= 0xd800 && codePoint < 0xdc00 && bytes[p] == '\\' && bytes[p + 1] == 'u') {
          int low = hex(p + 2);
          if (low >= 0xdc00 && low < 0xe000) {
            codePoint = Character.toCodePoint((char) codePoint, (char) low);
            p += 6;
          }
        }
        if (codePoint >= 0xd800 && codePoint < 0xe000) {
          textFault = textFault == null ? Reason.LONE_SURROGATE : textFault;
        } else {
          size = Utf8.write(scratch, size, codePoint);
        }
      }
    }
    text = scratch;
    textOffset = 0;
    textLength = size;
  }

  private int hex(int p) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      value = (value << 4) | Character.digit(bytes[p + i], 16);
    }
    return value;
  }

  private static byte simple(byte escape) {
    return switch (escape) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> escape;
    };
  }

  /** The array that holds the last string: UTF-8, unless it has a fault. */
  byte[] text() {
    return text;
  }

  int textOffset() {
    return textOffset;
  }

  int textLength() {
    return textLength;
  }

  boolean isTextEscaped() {
    return textEscaped;
  }

  /** Why the last string cannot be kept; null if it can. */
  @Nullable String textFault() {
    return textFault;
  }

  /** The last string, followed by a quotation mark, in the scratch array. */
  byte[] quotedScratch() {
    if (scratch.length < textLength + 32) {
      scratch = Arrays.copyOf(scratch, textLength + 64);
      text = scratch;
    }
    scratch[textLength] = '"';
    return scratch;
  }

  /** Whether {@code null} is here. */
  boolean isNull(int p) {
    return bytes[p] == 'n' && (int) Bytes.word(bytes, p) == NULL;
  }

  /**
   * Reads any value. Faults of its strings are noted in {@code faults}.
   *
   * @param copy where to write it without white space; null for nowhere
   * @param depth in how many arrays and objects it is nested
   */
  int value(int p, @Nullable JsonBuffer copy, int depth, JsonFaults faults) {
    switch (bytes[p]) {
      case '"' -> {
        int stop = string(p);
        if (stop > 0 && textFault != null) {
          faults.value(textFault);
        } else if (stop > 0 && copy != null) {
          copy.string(text, textOffset, textLength);
        }
        return stop;
      }
      case '{', '[' -> {
        return values(p, bytes[p] == '{', copy, depth + 1, faults);
      }
      case 't', 'f', 'n' -> {
        return literal(p, copy);
      }
      default -> {
        int stop = decimal.scan(bytes, p);
        if (stop < 0) {
          return broken(~stop, "unexpected character");
        }
        if (copy != null) {
          copy.raw(bytes, p, stop - p);
        }
        return stop;
      }
    }
  }

  private int literal(int p, @Nullable JsonBuffer copy) {
    long word = Bytes.word(bytes, p);
    boolean isFalse = bytes[p] == 'f' && (int) (word >>> 8) == ALSE;
    if (!isFalse && (int) word != TRUE && (int) word != NULL) {
      return broken(p, "unexpected character");
    }
    int length = isFalse ? 5 : 4;
    if (copy != null) {
      copy.raw(bytes, p, length);
    }
    return p + length;
  }

  private int values(
      int from, boolean named, @Nullable JsonBuffer copy, int depth, JsonFaults faults) {
    if (depth > DEPTH_MAX) {
      return broken(from, Reason.NESTED_TOO_DEEP);
    }
    char close = named ? '}' : ']';
    put(copy, named ? '{' : '[');
    int p = blanks(from + 1);
    if (bytes[p] == close) {
      put(copy, close);
      return p + 1;
    }
    while (true) {
      p = named ? name(p, copy, depth, faults) : p;
      p = p < 0 ? BROKEN : value(p, copy, depth, faults);
      if (p < 0) {
        return BROKEN;
      }
      p = blanks(p);
      if (bytes[p] == close) {
        put(copy, close);
        return p + 1;
      }
      if (bytes[p] != ',') {
        return broken(
            p,
            named
                ? "expected a comma or a closing brace"
                : "expected a comma or a closing bracket");
      }
      put(copy, ',');
      p = blanks(p + 1);
    }
  }

  /** Reads a member's name, and the colon behind it. */
  private int name(int from, @Nullable JsonBuffer copy, int depth, JsonFaults faults) {
    int p = bytes[from] == '"' ? value(from, copy, depth, faults) : broken(from, "expected a name");
    put(copy, ':');
    return p < 0 ? BROKEN : colon(p);
  }

  private static void put(@Nullable JsonBuffer copy, char token) {
    if (copy != null) {
      copy.put(token);
    }
  }
}
