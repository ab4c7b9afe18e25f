package gilmok.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a replay's speed, as a multiple of the recorded one: {@code 10x} or {@code 0.5}. */
final class ReplaySpeed implements ITypeConverter<Double> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,6})?)x?");

  @Override
  public Double convert(String value) {
    Matcher matcher = FORM.matcher(value);
    if (!matcher.matches() || Double.parseDouble(matcher.group(1)) == 0) {
      throw new TypeConversionException("\"" + value + "\" is no speed; write it as 10x or 0.5x");
    }
    return Double.parseDouble(matcher.group(1));
  }
}
