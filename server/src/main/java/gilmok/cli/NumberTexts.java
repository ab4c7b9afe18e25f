package gilmok.cli;

import java.util.regex.Pattern;

/** Which texts are numbers. */
final class NumberTexts {
  private static final Pattern ANY =
      Pattern.compile("[+-]?(?:\\d{1,20}\\.?\\d{0,20}|\\.\\d{1,20})(?:[eE][+-]?\\d{1,3})?");
  private static final Pattern JSON =
      Pattern.compile("-?(?:0|[1-9]\\d{0,17})(?:\\.\\d{1,17})?(?:[eE][+-]?\\d{1,3})?");

  private NumberTexts() {}

  /** A number as people and programs write it, such as {@code +.5}. */
  static boolean isNumber(String text) {
    return ANY.matcher(text).matches();
  }

  /** A number as JSON has it; {@code 007} is none. */
  static boolean isJson(String text) {
    return JSON.matcher(text).matches();
  }
}
