package gilmok.lab.firehose;

/**
 * A share in the notation of options, {@code 10%} or {@code 0.1}.
 *
 * @param value 0 to 1
 */
public record Share(double value) {
  /** A share of 0. */
  public static final Share NONE = new Share(0);

  public Share {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("a share is 0% to 100%");
    }
  }

  /** Parses a share. */
  public static Share read(String text) {
    return new Share(
        text.endsWith("%")
            ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
            : Double.parseDouble(text));
  }
}
