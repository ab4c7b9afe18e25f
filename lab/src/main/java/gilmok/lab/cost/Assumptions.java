package gilmok.lab.cost;

import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;

/** A value for each assumption. Immutable. */
final class Assumptions {
  private final Map<Assumption, Double> values;

  private Assumptions(Map<Assumption, Double> values) {
    this.values = values;
  }

  /** All defaults. */
  static Assumptions defaults() {
    Map<Assumption, Double> values = new EnumMap<>(Assumption.class);
    for (Assumption one : Assumption.values()) {
      values.put(one, one.value());
    }
    return new Assumptions(values);
  }

  /**
   * These, with another value.
   *
   * @throws IllegalArgumentException if it is not above 0, or 0 where that is no price
   */
  Assumptions with(Assumption one, double value) {
    if (!Double.isFinite(value) || value < 0 || (value == 0 && !one.isPrice())) {
      throw new IllegalArgumentException(
          one.label() + ": must be " + (one.isPrice() ? "0 or more" : "above 0"));
    }
    Map<Assumption, Double> changed = new EnumMap<>(values);
    changed.put(one, value);
    return new Assumptions(changed);
  }

  double of(Assumption one) {
    return values.getOrDefault(one, one.value());
  }

  /** A number as it is written: without an exponent, and with no zeros behind it. */
  static String text(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
