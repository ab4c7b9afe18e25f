package gilmok.ops;

import gilmok.event.JsonBuffer;

/** Numbers for charts: four digits are more than a line shows. Stateless. */
final class Numbers {
  private static final int DIGITS = 4;

  /** Smaller numbers are shown as 0. */
  private static final double LEAST = 1e-7;

  private Numbers() {}

  /** Writes a number with four digits; one that is not there as null. */
  static void write(double value, JsonBuffer out) {
    if (!Double.isFinite(value)) {
      out.ascii("null");
      return;
    }
    double size = Math.abs(value);
    int places = size < LEAST ? 0 : DIGITS - 1 - (int) Math.floor(Math.log10(size));
    if (places <= 0 || size == Math.rint(size)) {
      out.number(Math.round(value));
    } else {
      out.decimal(Math.round(value * Math.pow(10, places)), places);
    }
  }
}
