package gilmok.collect.dialect;

/** Numbers as phones spell them in texts. Pure functions. */
public final class PhoneNumbers {
  private static final int LENGTH_MAX = 64;

  private PhoneNumbers() {}

  /** Parses a number, with blanks around it; NaN if the text is no number, or not finite. */
  public static double of(String text) {
    String number = text.strip();
    if (!isNumber(number, false)) {
      return Double.NaN;
    }
    double value = Double.parseDouble(number);
    return Double.isFinite(value) ? value : Double.NaN;
  }

  /**
   * Whether a text is a number in JSON's notation. {@code 007} and {@code +5} are not; they are
   * more likely identifiers or phone numbers.
   */
  public static boolean isJson(String text) {
    return isNumber(text, true) && Double.isFinite(Double.parseDouble(text));
  }

  private static boolean isNumber(String text, boolean strict) {
    int length = text.length();
    if (length == 0 || length > LENGTH_MAX) {
      return false;
    }
    char sign = text.charAt(0);
    int whole = sign == '-' || (sign == '+' && !strict) ? 1 : 0;
    int p = digits(text, whole);
    int count = p - whole;
    if (strict && (count == 0 || (count > 1 && text.charAt(whole) == '0'))) {
      return false;
    }
    if (p < length && text.charAt(p) == '.') {
      int fraction = p + 1;
      p = digits(text, fraction);
      count += p - fraction;
      if (strict && p == fraction) {
        return false;
      }
    }
    return count > 0 && (p == length || exponentEnd(text, p) == length);
  }

  private static int exponentEnd(String text, int from) {
    if ((text.charAt(from) | 0x20) != 'e' || from + 1 == text.length()) {
      return from;
    }
    char sign = text.charAt(from + 1);
    int first = sign == '-' || sign == '+' ? from + 2 : from + 1;
    int end = digits(text, first);
    return end > first ? end : from;
  }

  private static int digits(String text, int from) {
    int p = from;
    while (p < text.length() && text.charAt(p) >= '0' && text.charAt(p) <= '9') {
      p++;
    }
    return p;
  }
}
