package gilmok.collect.json;

import gilmok.event.Reason;
import gilmok.event.Rfc3339;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of JSON objects. Each is checked as it is read; of those that are wrong the
 * first is kept, and what is read of it is of no use. A member that is null is as good as absent.
 *
 * <p>Not thread-safe: one for each thread that reads.
 */
public final class Fields {
  /** The largest whole number that every reader of JSON keeps. */
  public static final long WHOLE_MAX = (1L << 53) - 1;

  /** Times must be before this one: the year 2101. */
  private static final long TIME_MAX = 4_133_980_800_000L;

  private static final int WHOLE_DIGITS_MAX = 16;

  private final JsonDocument document;
  private String field = "";
  private String reason = "";

  /** Reads what that document holds. */
  public Fields(JsonDocument document) {
    this.document = document;
  }

  /** Forgets what was wrong. */
  public void begin() {
    field = "";
    reason = "";
  }

  /** Whether nothing was wrong so far. */
  public boolean isGood() {
    return reason.isEmpty();
  }

  /** What is wrong, as the client names it. */
  public String field() {
    return field;
  }

  /** Why, in a few words. */
  public String reason() {
    return reason;
  }

  /** Notes what is wrong, unless something was before. */
  public void wrong(String name, String why) {
    if (reason.isEmpty()) {
      field = name;
      reason = why;
    }
  }

  /**
   * Checks that an object has no members but these, and none twice.
   *
   * @param prefix what stands before its members' names when one is wrong, as in {@code pickup.}
   */
  public void only(int object, String prefix, Set<String> known) {
    String fault = document.fault(object);
    if (fault != null) {
      wrong(prefix.isEmpty() ? "body" : prefix.substring(0, prefix.length() - 1), fault);
      return;
    }
    for (int member = document.first(object);
        member != JsonDocument.NONE && isGood();
        member = document.next(member)) {
      String name = document.name(member);
      if (!known.contains(name)) {
        wrong(prefix + name, "is not a field of this");
      } else if (document.member(object, name) != member) {
        wrong(prefix + name, Reason.GIVEN_TWICE);
      }
    }
  }

  /** A text that must be there; empty when something is wrong. */
  public String need(int object, String prefix, String name, int charsMax) {
    String text = text(object, prefix, name, charsMax);
    if (text == null && isGood()) {
      wrong(prefix + name, Reason.MISSING);
    }
    return text == null ? "" : text;
  }

  /** A text of one line; null when there is none, or something is wrong. */
  public @Nullable String text(int object, String prefix, String name, int charsMax) {
    String text = lines(object, prefix, name, charsMax);
    if (text != null && hasControl(text)) {
      wrong(prefix + name, Reason.CONTROL_CHARACTER);
      return null;
    }
    return text;
  }

  /** A text, of several lines too; null when there is none, or something is wrong. */
  public @Nullable String lines(int object, String prefix, String name, int charsMax) {
    int value = document.member(object, name);
    if (document.isNull(value)) {
      return null;
    }
    String text = document.text(value);
    String why = null;
    if (text == null) {
      why = Reason.NOT_A_STRING;
    } else if (text.isBlank()) {
      why = Reason.EMPTY;
    } else if (text.length() > charsMax && text.codePointCount(0, text.length()) > charsMax) {
      why = Reason.TOO_LONG;
    }
    if (why != null) {
      wrong(prefix + name, why);
      return null;
    }
    return text;
  }

  /** A number within bounds; null when there is none, or something is wrong. */
  public @Nullable Double number(int object, String prefix, String name, double min, double max) {
    int value = document.member(object, name);
    if (document.isNull(value)) {
      return null;
    }
    double number = document.number(value);
    if (!(number >= min && number <= max)) {
      wrong(prefix + name, Double.isNaN(number) ? Reason.NOT_A_NUMBER : Reason.OUT_OF_RANGE);
      return null;
    }
    return number;
  }

  /** A whole number from 0 on; null when there is none, or something is wrong. */
  public @Nullable Long whole(int object, String prefix, String name) {
    int value = document.member(object, name);
    if (document.isNull(value)) {
      return null;
    }
    String spelled = document.isNumber(value) ? document.scalar(value) : null;
    long number = spelled == null ? -1 : digits(spelled);
    if (number < 0) {
      wrong(prefix + name, "not a whole number from 0 on");
      return null;
    }
    return number;
  }

  /** A time, RFC 3339 or epoch ms; null when there is none, or something is wrong. */
  public @Nullable Long time(int object, String prefix, String name) {
    int value = document.member(object, name);
    if (document.isNull(value)) {
      return null;
    }
    String spelled = document.scalar(value);
    long millis = spelled == null ? -1 : millis(spelled);
    if (millis < 0) {
      wrong(prefix + name, Reason.NOT_A_TIME);
      return null;
    }
    return millis;
  }

  /** The object of that name; {@link JsonDocument#NONE} when there is none, or it is no object. */
  public int object(int object, String name) {
    int value = document.member(object, name);
    if (document.isNull(value)) {
      return JsonDocument.NONE;
    }
    if (!document.isObject(value)) {
      wrong(name, Reason.NOT_AN_OBJECT);
      return JsonDocument.NONE;
    }
    return value;
  }

  /** A time as RFC 3339 or epoch ms has it; -1 when it is none. */
  public static long millis(String spelled) {
    long millis = digits(spelled);
    if (millis < 0) {
      millis = Rfc3339.parse(spelled);
    }
    return millis >= 0 && millis < TIME_MAX ? millis : -1;
  }

  /** A whole number from 0 to {@link #WHOLE_MAX}; -1 when it is none. */
  public static long digits(String spelled) {
    if (spelled.isEmpty() || spelled.length() > WHOLE_DIGITS_MAX) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < spelled.length(); i++) {
      int digit = spelled.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number > WHOLE_MAX ? -1 : number;
  }

  private static boolean hasControl(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }
}
