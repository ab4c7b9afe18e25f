package gilmok.collect.dialect;

import java.util.regex.Pattern;

/** Numbers as phones spell them in texts. Pure functions. */
public final class PhoneNumbers {
  private static final int LENGTH_MAX = 64;
  private static final Pattern ANY =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");
  private static final Pattern JSON =
      Pattern.compile("-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?");

  private PhoneNumbers() {}

  /** The number that a text is, whatever stands blank around it; NaN if it is none or infinite. */
  public static double of(String text) {
    String number = text.strip();
    if (!is(ANY, number)) {
      return Double.NaN;
    }
    double value = Double.parseDouble(number);
    return Double.isFinite(value) ? value : Double.NaN;
  }

  /**
   * Whether a text is a number that JSON spells the same: neither {@code 007} nor {@code +5}, which
   * are more likely somebody's number.
   */
  public static boolean isJson(String text) {
    return is(JSON, text) && Double.isFinite(Double.parseDouble(text));
  }

  private static boolean is(Pattern pattern, String text) {
    return text.length() <= LENGTH_MAX && pattern.matcher(text).matches();
  }
}
