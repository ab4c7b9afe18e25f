package gilmok.collect.format;

import gilmok.collect.dialect.PhoneNumbers;
import gilmok.event.EventField;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one field is read. Immutable.
 *
 * @param value how its value is found and spelled
 */
public record FieldRule(EventField field, ValueRule value) {
  /** Where its value is. */
  ValueSource source() {
    return value.source();
  }

  /** What a number is multiplied by to be in the field's unit. */
  double factor() {
    return value.factor();
  }

  /** How a time is spelled. */
  TimeForm time() {
    return value.time();
  }

  /** What texts stand for. */
  Map<String, String> values() {
    return value.values();
  }

  /** What is sent where there is no value; null when nothing is. */
  @Nullable String unknown() {
    return value.unknown();
  }

  /** Whether a text means that there is no value. */
  boolean isUnknown(byte[] text, int offset, int length) {
    String unknown = unknown();
    return unknown != null
        && unknown.equals(new String(text, offset, length, StandardCharsets.UTF_8));
  }

  /** Whether a number means that there is no value. */
  boolean isUnknown(double number) {
    String unknown = unknown();
    return unknown != null && PhoneNumbers.of(unknown) == number;
  }

  /** What the value is called if it becomes an attribute: the last of the names that lead to it. */
  String attribute() {
    String label = source().label();
    int last = Math.max(label.lastIndexOf('/'), label.lastIndexOf(':'));
    String name = label.substring(last + 1);
    return name.isEmpty() ? field.label() : name.replace("~1", "/").replace("~0", "~");
  }
}
