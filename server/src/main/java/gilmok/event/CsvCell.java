package gilmok.event;

import java.util.regex.Pattern;

/**
 * A text as a cell of a CSV file (RFC 4180) that spreadsheets open, and take for no formula: {@code
 * '} is put in front of what would begin one (OWASP, CSV injection), also behind a semicolon or a
 * line's end, where the spreadsheets of some countries begin a cell. Pure function.
 */
public final class CsvCell {
  private static final Pattern FORMULA =
      Pattern.compile("(^|[;\\t\\r\\n])(?=[-=+@\\p{Cntrl}\uff1d\uff0b\uff0d\uff20])");
  private static final Pattern QUOTED = Pattern.compile("[\",;\\p{Cntrl}]");

  private CsvCell() {}

  /** The cell; in quotation marks where it needs them. */
  public static String of(String text) {
    return QUOTED.matcher(text).find() ? quoted(text) : safe(text);
  }

  /** The cell in quotation marks. */
  public static String quoted(String text) {
    return '"' + safe(text).replace("\"", "\"\"") + '"';
  }

  private static String safe(String text) {
    return FORMULA.matcher(text).replaceAll("$1'");
  }
}
