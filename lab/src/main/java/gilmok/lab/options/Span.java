package gilmok.lab.options;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** A duration in the notation of options: {@code 60ms}, {@code 8s}, {@code 1m}. */
public record Span(Duration value) {
  /** No time at all. */
  public static final Span ZERO = new Span(Duration.ZERO);

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9}) ?(ms|s|m|min|h)");

  /** Parses a duration. */
  public static Span read(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("a time is written 60ms, 8s or 1m, not " + text);
    }
    long amount = Long.parseLong(matcher.group(1));
    return new Span(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofMinutes(amount);
        });
  }
}
