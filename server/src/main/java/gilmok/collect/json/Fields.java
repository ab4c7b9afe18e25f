package gilmok.collect.json;

import gilmok.event.Reason;
import gilmok.event.Rfc3339;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of JSON objects and checks each as it is read. The first fault is kept; once
 * there is one, the values that were read must not be used. A member that is null counts as absent.
 *
 * <p>Not thread-safe: one for each thread that reads.
 */
public final class Fields {
  /** The largest whole number that every JSON parser keeps exact. */
  public static final long WHOLE_MAX = (1L << 53) - 1;

  /** The end of valid times, exclusive: the beginning of 2101. */
  private static final long TIME_MAX = 4_133_980_800_000L;

  private static final int WHOLE_DIGITS_MAX = 16;

  private final JsonDocument document;
  private String field = "";
  private String reason = "";

  /** Reads members of that document. */
  public Fields(JsonDocument document) {
    this.document = document;
  }

  /** Forgets the fault. */
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

  /** Notes a fault, unless there is one already. */
  public void wrong(String name, String why) {
    if (reason.isEmpty()) {
      field = name;
      reason = why;
    }
  }

  /**
   * Checks that an object has only these members, and none twice.
   *
   * @param prefix comes before the name of a faulty member, as in {@code pickup.}
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

  /** A required text; empty when something is wrong. */
  public String need(int object, String prefix, String name, int charsMax) {
    String text = text(object, prefix, name, charsMax);
    if (text == null && isGood()) {
      wrong(prefix + name, Reason.MISSING);
    }
    return text == null ? "" : text;
  }

  /** A text of one line; null when it is absent or wrong. */
  public @Nullable String text(int object, String prefix, String name, int charsMax) {
    String text = lines(object, prefix, name, charsMax);
    if (text != null && hasControl(text)) {
      wrong(prefix + name, Reason.CONTROL_CHARACTER);
      return null;
    }
    return text;
  }

  /** A text that may have several lines; null when it is absent or wrong. */
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

  /** A number within bounds; null when it is absent or wrong. */
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

  /** A whole number from 0 to {@code max}; null when it is absent or wrong. */
  public @Nullable Long whole(int object, String prefix, String name, long max) {
    int value = document.member(object, name);
    if (document.isNull(value)) {
      return null;
    }
    String spelled = document.isNumber(value) ? document.scalar(value) : null;
    if (spelled == null || !spelled.chars().allMatch(c -> c >= '0' && c <= '9')) {
      wrong(prefix + name, "not a whole number from 0 on");
      return null;
    }
    long number = digits(spelled);
    if (number < 0 || number > max) {
      wrong(prefix + name, Reason.OUT_OF_RANGE);
      return null;
    }
    return number;
  }

  /** A time, RFC 3339 or epoch ms; null when it is absent or wrong. */
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

  /** A member that is an object; {@link JsonDocument#NONE} when it is absent or no object. */
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

  /** Parses a time, RFC 3339 or epoch ms; -1 when it is none. */
  public static long millis(String spelled) {
    long millis = digits(spelled);
    if (millis < 0) {
      millis = Rfc3339.parse(spelled);
    }
    return millis >= 0 && millis < TIME_MAX ? millis : -1;
  }

  /** Parses a whole number from 0 to {@link #WHOLE_MAX}; -1 when it is none. */
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
