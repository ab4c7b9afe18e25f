package gilmok.cli;

import java.util.regex.Pattern;

/** Recognises texts that are numbers. Pure functions. */
final class NumberTexts {
  private static final Pattern ANY =
      Pattern.compile("[+-]?(?:\\d{1,20}\\.?\\d{0,20}|\\.\\d{1,20})(?:[eE][+-]?\\d{1,3})?");
  private static final Pattern JSON =
      Pattern.compile("-?(?:0|[1-9]\\d{0,17})(?:\\.\\d{1,17})?(?:[eE][+-]?\\d{1,3})?");

  private NumberTexts() {}

  /** Whether a text is a number as people and programs write it, such as {@code +.5}. */
  static boolean isNumber(String text) {
    return ANY.matcher(text).matches();
  }

  /** Whether a text is a number in JSON's notation; {@code 007} is not. */
  static boolean isJson(String text) {
    return JSON.matcher(text).matches();
  }
}
