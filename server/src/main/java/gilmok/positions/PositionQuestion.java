package gilmok.positions;

import gilmok.geo.Box;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one request about positions. Each is checked when it is read. Only the first
 * error is kept, and the value returned for a wrong parameter must not be used.
 *
 * <p>Not thread-safe: owned by the event loop of the request.
 */
final class PositionQuestion {
  private static final double E7 = 1e7;
  private static final int WHOLE_DIGITS_MAX = 9;

  private final Exchange exchange;
  private @Nullable String field;
  private String reason = "";

  PositionQuestion(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Whether there was no error so far. */
  boolean isGood() {
    return field == null;
  }

  /** Whether there was an error; if so, the request is refused by this call. */
  boolean isRefused() {
    if (field == null) {
      return false;
    }
    exchange.refuse(Refusal.INVALID, field, reason);
    return true;
  }

  /** Records an error, unless there was one before. */
  void wrong(String name, String why) {
    if (field == null) {
      field = name;
      reason = why;
    }
  }

  boolean has(String name) {
    return exchange.query(name) != null;
  }

  /** An integer within bounds, or {@code absent} if the parameter is missing. */
  int whole(String name, int absent, int min, int max) {
    String text = exchange.query(name);
    if (text == null) {
      return absent;
    }
    int value = 0;
    boolean isNumber = !text.isEmpty();
    for (int i = 0; i < text.length() && isNumber; i++) {
      int digit = text.charAt(i) - '0';
      isNumber = digit >= 0 && digit <= 9;
      value = i < WHOLE_DIGITS_MAX ? 10 * value + digit : Integer.MAX_VALUE;
    }
    if (!isNumber || value < min || value > max) {
      wrong(name, isNumber ? bounds(min, max) : "not a whole number");
    }
    return value;
  }

  /** A number within bounds, or {@code absent} if the parameter is missing. */
  double number(String name, double absent, double min, double max) {
    String text = exchange.query(name);
    if (text == null) {
      return absent;
    }
    double value = value(text, 0, text.length());
    if (!(value >= min && value <= max)) {
      wrong(name, Double.isNaN(value) ? "not a number" : bounds((long) min, (long) max));
    }
    return value;
  }

  /** Reads two or four degrees from one parameter, times 1e7, into an array of that length. */
  int[] degrees(String name, String text, String form, int[] bounds) {
    int[] degrees = new int[bounds.length];
    int from = 0;
    for (int i = 0; i < degrees.length; i++) {
      int comma = text.indexOf(',', from);
      boolean isLast = i == degrees.length - 1;
      if ((comma < 0) != isLast) {
        wrong(name, "not of the form " + form);
        return degrees;
      }
      int to = isLast ? text.length() : comma;
      double value = value(text, from, to);
      if (!(Math.abs(value) <= bounds[i])) {
        wrong(name, Double.isNaN(value) ? "not of the form " + form : outside(bounds[i]));
        return degrees;
      }
      degrees[i] = (int) Math.rint(value * E7);
      from = to + 1;
    }
    return degrees;
  }

  /** A box given as {@code minLon,minLat,maxLon,maxLat}. */
  Box box(String name, String text) {
    int[] degrees =
        degrees(name, text, "minLon,minLat,maxLon,maxLat", new int[] {180, 90, 180, 90});
    if (degrees[1] > degrees[3]) {
      wrong(name, "minLat is above maxLat");
    }
    return new Box(degrees[1], degrees[0], degrees[3], degrees[2]);
  }

  private static String outside(int bound) {
    return (bound == 90 ? "a latitude" : "a longitude") + " is over " + bound + " degrees";
  }

  private static String bounds(long min, long max) {
    return "not from " + min + " to " + max;
  }

  /**
   * A number in JSON's syntax; NaN if it is none. The syntax is checked first, because the parser
   * would throw.
   */
  private static double value(String text, int from, int to) {
    int p = from;
    p += p < to && (text.charAt(p) == '-' || text.charAt(p) == '+') ? 1 : 0;
    int whole = digits(text, p, to);
    boolean isNumber = whole > p;
    p = whole;
    if (p < to && text.charAt(p) == '.') {
      int fraction = digits(text, p + 1, to);
      isNumber &= fraction > p + 1;
      p = fraction;
    }
    if (p < to && (text.charAt(p) | 0x20) == 'e') {
      p++;
      p += p < to && (text.charAt(p) == '-' || text.charAt(p) == '+') ? 1 : 0;
      int exponent = digits(text, p, to);
      isNumber &= exponent > p && exponent - p < 4;
      p = exponent;
    }
    return isNumber && p == to ? Double.parseDouble(text.substring(from, to)) : Double.NaN;
  }

  private static int digits(String text, int from, int to) {
    int p = from;
    while (p < to && text.charAt(p) >= '0' && text.charAt(p) <= '9') {
      p++;
    }
    return p;
  }
}
