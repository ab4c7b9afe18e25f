package gilmok.cli;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses durations on the command line, written as in the settings: {@code 500 ms}, {@code 30s}.
 */
final class DurationOption implements ITypeConverter<Duration> {
  private static final String KEY = "span";

  @Override
  public Duration convert(String value) {
    try {
      Settings settings = new Settings(Map.of(KEY, value));
      Duration span = settings.duration(KEY, "0s", Duration.ZERO, Duration.ofDays(3650));
      settings.finish();
      return span;
    } catch (InvalidSettings wrong) {
      throw new TypeConversionException(wrong.problems().getFirst().replaceFirst("^span: ", ""));
    }
  }
}
