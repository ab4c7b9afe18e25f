package gilmok.collect.json;

import gilmok.event.Decimal;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One JSON text as numbered values, without an object for each: for bodies that do not merit a
 * scanner of their own. Walk the members or elements of a value by {@link #first} and {@link
 * #next}. {@link #NONE} ends the walk and represents a missing value; every method accepts it, and
 * finds no text, no number and no members.
 *
 * <p>Not thread-safe: reused from text to text; values are those of the last text read.
 */
public final class JsonDocument {
  /** A missing value. */
  public static final int NONE = -1;

  /** The most values that a text can have. */
  public static final int VALUES_MAX = 1_000_000;

  private static final int KEPT_BYTES_MAX = 1 << 18;
  private static final int KEPT_VALUES_MAX = 1 << 14;

  private final Decimal decimal = new Decimal();
  private final JsonScanner scanner = new JsonScanner(decimal);
  private final JsonFaults faults = new JsonFaults();
  private byte[] kept = new byte[16 * 1024];
  private byte[] bytes = kept;
  private int base;
  private int count;
  private int[] names = new int[256];
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private int[] nexts = new int[256];

  /**
   * Reads a text.
   *
   * @return the outermost value, or {@link #NONE} when the text is no JSON: see {@link
   *     #errorReason}
   */
  public int read(byte[] text, int offset, int length) {
    take(text, offset, length);
    count = 0;
    faults.clear();
    scanner.begin(bytes, length);
    int from = scanner.start();
    if (from >= length) {
      scanner.empty();
      return NONE;
    }
    int p = value(from, NONE, 0);
    p = p < 0 ? p : scanner.blanks(p);
    if (p >= 0 && p < length) {
      p = scanner.broken(p, "unexpected character behind the value");
    }
    return p < 0 ? NONE : 0;
  }

  /** What the syntax error in the last text is: a constant. */
  public String errorReason() {
    return scanner.errorReason();
  }

  /** Why a string within that value cannot be kept, such as invalid UTF-8; null if all can. */
  public @Nullable String fault(int value) {
    if (value == NONE) {
      return null;
    }
    faults.clear();
    scanner.value(starts[value], null, 0, faults);
    return faults.reason();
  }

  /** Where a value starts in the array that was read; for {@link #NONE}, where the text starts. */
  public int start(int value) {
    return value == NONE ? base : base + starts[value];
  }

  /** Where a value ends in the array that was read; for {@link #NONE}, where the text starts. */
  public int end(int value) {
    return value == NONE ? base : base + ends[value];
  }

  /** Whether the value is an object. */
  public boolean isObject(int value) {
    return value != NONE && bytes[starts[value]] == '{';
  }

  /** Whether the value is an array. */
  public boolean isArray(int value) {
    return value != NONE && bytes[starts[value]] == '[';
  }

  /** Whether the value is a string. */
  public boolean isText(int value) {
    return value != NONE && bytes[starts[value]] == '"';
  }

  /** Whether the value is a number. */
  public boolean isNumber(int value) {
    byte b = value == NONE ? 0 : bytes[starts[value]];
    return b == '-' || (b >= '0' && b <= '9');
  }

  /** Whether the value is true or false. */
  public boolean isBoolean(int value) {
    return value != NONE && (isTrue(value) || bytes[starts[value]] == 'f');
  }

  /** Whether the value is true. */
  public boolean isTrue(int value) {
    return value != NONE && bytes[starts[value]] == 't';
  }

  /** Whether the value is missing or null. */
  public boolean isNull(int value) {
    return value == NONE || bytes[starts[value]] == 'n';
  }

  /** The first member or element; {@link #NONE} if there is none. */
  public int first(int value) {
    boolean holds = isObject(value) || isArray(value);
    return holds && value + 1 < count && starts[value + 1] < ends[value] ? value + 1 : NONE;
  }

  /** The next member or element; {@link #NONE} after the last. */
  public int next(int value) {
    return value == NONE ? NONE : nexts[value];
  }

  /** The first member of that name; {@link #NONE} if there is none, or the value is no object. */
  public int member(int value, String name) {
    if (isObject(value)) {
      for (int member = first(value); member != NONE; member = nexts[member]) {
        if (isNamed(member, name)) {
          return member;
        }
      }
    }
    return NONE;
  }

  /** Whether a member has that name, which must be ASCII. */
  public boolean isNamed(int member, String name) {
    if (member == NONE || names[member] == NONE) {
      return false;
    }
    int p = names[member] + 1;
    for (int i = 0; i < name.length(); i++) {
      if (bytes[p + i] != name.charAt(i)) {
        return bytes[p + i] == '\\' && name(member).equals(name);
      }
    }
    byte after = bytes[p + name.length()];
    return after == '"' || (after == '\\' && name(member).equals(name));
  }

  /** A member's name; empty when the value is no member. */
  public String name(int member) {
    return member == NONE || names[member] == NONE ? "" : string(names[member]);
  }

  /** A string's text; null when it is no string. */
  public @Nullable String text(int value) {
    return isText(value) ? string(starts[value]) : null;
  }

  /** A string's text, or a number as it was spelled; null when it is neither. */
  public @Nullable String scalar(int value) {
    if (!isNumber(value)) {
      return text(value);
    }
    int start = starts[value];
    return new String(bytes, start, ends[value] - start, StandardCharsets.US_ASCII);
  }

  /** A number; NaN when it is none. */
  public double number(int value) {
    if (!isNumber(value)) {
      return Double.NaN;
    }
    decimal.scan(bytes, starts[value]);
    return decimal.toDouble();
  }

  /** Writes a value as it was sent, without white space. The value must have no {@link #fault}. */
  public void copy(int value, JsonBuffer out) {
    if (value == NONE) {
      out.ascii("null");
      return;
    }
    scanner.value(starts[value], out, 0, faults);
  }

  private String string(int at) {
    scanner.string(at);
    return new String(
        scanner.text(), scanner.textOffset(), scanner.textLength(), StandardCharsets.UTF_8);
  }

  /** Copies the text and appends zeros. */
  private void take(byte[] text, int offset, int length) {
    int needed = length + JsonScanner.ZEROS;
    if (bytes.length > KEPT_BYTES_MAX) {
      bytes = kept;
    }
    if (names.length > KEPT_VALUES_MAX) {
      resize(256);
    }
    if (needed > kept.length && needed <= KEPT_BYTES_MAX) {
      kept = new byte[Math.min(KEPT_BYTES_MAX, 2 * needed)];
    }
    bytes = needed > kept.length ? new byte[needed] : kept;
    System.arraycopy(text, offset, bytes, 0, length);
    Arrays.fill(bytes, length, needed, (byte) 0);
    base = offset;
  }

  private int add(int name, int start) {
    if (count == names.length) {
      resize(2 * count);
    }
    names[count] = name;
    starts[count] = start;
    nexts[count] = NONE;
    return count++;
  }

  private void resize(int length) {
    names = Arrays.copyOf(names, length);
    starts = Arrays.copyOf(starts, length);
    ends = Arrays.copyOf(ends, length);
    nexts = Arrays.copyOf(nexts, length);
  }

  /** Reads a value and gives it the next number; returns where it ends. */
  private int value(int from, int name, int depth) {
    if (count == VALUES_MAX) {
      return scanner.broken(from, Reason.TOO_LARGE);
    }
    int value = add(name, from);
    byte b = bytes[from];
    int p;
    if (b == '{' || b == '[') {
      p =
          depth == JsonScanner.DEPTH_MAX
              ? scanner.broken(from, Reason.NESTED_TOO_DEEP)
              : values(from, b == '{', depth + 1);
    } else {
      p = scanner.value(from, null, depth, faults);
    }
    ends[value] = p;
    return p;
  }

  private int values(int from, boolean named, int depth) {
    byte close = (byte) (named ? '}' : ']');
    int p = scanner.blanks(from + 1);
    if (bytes[p] == close) {
      return p + 1;
    }
    int previous = NONE;
    while (true) {
      int name = named ? p : NONE;
      if (named) {
        p = bytes[p] == '"' ? nameEnd(p) : scanner.broken(p, "expected a name");
        if (p < 0) {
          return p;
        }
      }
      int value = count;
      p = value(p, name, depth);
      if (p < 0) {
        return p;
      }
      if (previous != NONE) {
        nexts[previous] = value;
      }
      previous = value;
      p = scanner.blanks(p);
      if (bytes[p] == close) {
        return p + 1;
      }
      if (bytes[p] != ',') {
        return scanner.broken(p, "expected a comma or the end of what was opened");
      }
      p = scanner.blanks(p + 1);
    }
  }

  /** Where a member's name ends, behind its colon. */
  private int nameEnd(int from) {
    int p = scanner.value(from, null, 0, faults);
    return p < 0 ? p : scanner.colon(p);
  }
}
