package gilmok.lab.fleet;

/** Formats numbers without the cost of a formatter. */
final class Digits {
  private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000};

  private Digits() {}

  /** Appends a number rounded to a number of decimals, at most 7. */
  static StringBuilder append(StringBuilder text, double value, int decimals) {
    long power = POWERS[decimals];
    long scaled = Math.round(Math.abs(value) * power);
    if (value < 0 && scaled > 0) {
      text.append('-');
    }
    text.append(scaled / power);
    if (decimals > 0) {
      text.append('.');
      long rest = scaled % power;
      for (long digit = power / 10; digit > 0; digit /= 10) {
        text.append((char) ('0' + rest / digit % 10));
      }
    }
    return text;
  }
}
