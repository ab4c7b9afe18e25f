package gilmok.collect.format;

import gilmok.event.EventField;
import java.util.Map;

/**
 * What a field of ours takes, so that a declaration can say how it is spelled. Immutable.
 *
 * @param kind of its values
 * @param units by which a number may be given, with what each is multiplied by
 */
public record FieldTraits(Kind kind, Map<String, Double> units) {
  public static final FieldTraits TEXT = new FieldTraits(Kind.TEXT, Map.of());
  public static final FieldTraits WHOLE = new FieldTraits(Kind.WHOLE, Map.of());
  public static final FieldTraits TIME = new FieldTraits(Kind.TIME, Map.of());
  public static final FieldTraits OBJECT = new FieldTraits(Kind.OBJECT, Map.of());
  public static final FieldTraits LENGTH =
      number(Map.of("m", 1.0, "km", 1_000.0, "ft", 0.3048, "mi", 1_609.344));
  public static final FieldTraits ANGLE =
      number(Map.of("degrees", 1.0, "radians", 180 / Math.PI, "e6", 1e-6, "e7", 1e-7));

  private static final FieldTraits SPEED =
      number(Map.of("m/s", 1.0, "km/h", 1 / 3.6, "mph", 0.44704, "knots", 1_852 / 3_600.0));
  private static final FieldTraits SHARE = number(Map.of("fraction", 1.0, "percent", 0.01));
  private static final FieldTraits NUMBER = number(Map.of());

  /** The kinds of values. */
  public enum Kind {
    TEXT,
    NUMBER,
    /** A whole number. */
    WHOLE,
    TIME,
    /** A JSON object. */
    OBJECT
  }

  public FieldTraits {
    units = Map.copyOf(units);
  }

  private static FieldTraits number(Map<String, Double> units) {
    return new FieldTraits(Kind.NUMBER, units);
  }

  /** Those of a field of events. */
  static FieldTraits of(EventField field) {
    return switch (field) {
      case AT -> TIME;
      case SPEED -> SPEED;
      case ACCURACY, ALTITUDE -> LENGTH;
      case LAT, LON, BEARING -> ANGLE;
      case BATTERY -> SHARE;
      default -> field.shape() == EventField.Shape.NUMBER ? NUMBER : TEXT;
    };
  }

  boolean isText() {
    return kind == Kind.TEXT;
  }

  boolean isNumber() {
    return kind == Kind.NUMBER || kind == Kind.WHOLE;
  }

  boolean isTime() {
    return kind == Kind.TIME;
  }
}
