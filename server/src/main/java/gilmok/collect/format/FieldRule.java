package gilmok.collect.format;

import gilmok.collect.dialect.PhoneNumbers;
import gilmok.event.EventField;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one field is read. Immutable.
 *
 * @param source where its value is
 * @param factor what a number is multiplied by to be in the field's unit
 * @param time how a time is spelled
 * @param values what texts stand for; others are kept as they are
 * @param unknown what is sent where there is no value, as -1; null when nothing is
 */
public record FieldRule(
    EventField field,
    ValueSource source,
    double factor,
    TimeForm time,
    Map<String, String> values,
    @Nullable String unknown) {
  public FieldRule {
    values = Map.copyOf(values);
  }

  /** Whether a text means that there is no value. */
  boolean isUnknown(byte[] text, int offset, int length) {
    return unknown != null
        && unknown.equals(new String(text, offset, length, StandardCharsets.UTF_8));
  }

  /** Whether a number means that there is no value. */
  boolean isUnknown(double number) {
    return unknown != null && PhoneNumbers.of(unknown) == number;
  }

  /** What the value is called if it becomes an attribute: the last of the names that lead to it. */
  String attribute() {
    String label = source.label();
    int last = Math.max(label.lastIndexOf('/'), label.lastIndexOf(':'));
    String name = label.substring(last + 1);
    return name.isEmpty() ? field.label() : name.replace("~1", "/").replace("~0", "~");
  }
}
