package gilmok.lab.firehose;

import picocli.CommandLine.ITypeConverter;

/**
 * A share as people write it, {@code 10%} or {@code 0.1}.
 *
 * @param value 0 to 1
 */
public record Share(double value) {
  /** Nothing of it. */
  public static final Share NONE = new Share(0);

  public Share {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("a share is 0% to 100%");
    }
  }

  /** For the command line. */
  public static final class Reader implements ITypeConverter<Share> {
    @Override
    public Share convert(String text) {
      return new Share(
          text.endsWith("%")
              ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
              : Double.parseDouble(text));
    }
  }
}
