package gilmok.collect.format;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one value is found and spelled. Immutable.
 *
 * @param source where it is
 * @param factor what a number is multiplied by to be in the field's unit
 * @param time how a time is spelled
 * @param values what texts stand for; others are kept as they are
 * @param unknown what is sent where there is no value, as -1; null when nothing is
 */
public record ValueRule(
    ValueSource source,
    double factor,
    TimeForm time,
    Map<String, String> values,
    @Nullable String unknown) {
  public ValueRule {
    values = Map.copyOf(values);
  }
}
