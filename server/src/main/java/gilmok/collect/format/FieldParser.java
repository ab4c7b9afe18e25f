package gilmok.collect.format;

import gilmok.collect.format.Format.Shape;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the part {@code fields} of a declaration: where each field's value is, and how it is
 * spelled. Not thread-safe: part of its faults.
 */
final class FieldParser {
  private static final int RULES_MAX = 31;

  private final FormatFaults faults;
  private final ValueRuleParser values;

  /**
   * @param faults takes the problems
   * @param segments the names of the path's segments in braces
   */
  FieldParser(FormatFaults faults, Shape shape, Set<String> segments) {
    this.faults = faults;
    values = new ValueRuleParser(faults, shape, segments);
  }

  /** The rules, in the order in which they are tried. */
  List<FieldRule> parse(Map<?, ?> tree, EventKind kind) {
    List<FieldRule> rules = new ArrayList<>();
    if (!(tree.get("fields") instanceof Map<?, ?> fields)) {
      faults.problem("fields", "is missing: which value is which field");
      return rules;
    }
    Map<String, EventField> known = new LinkedHashMap<>();
    for (EventField field : EventField.values()) {
      if (kind.has(field) && field != EventField.ATTRIBUTES) {
        known.put(field.label(), field);
      }
    }
    fields.forEach(
        (key, value) -> {
          EventField field = known.get(String.valueOf(key));
          String at = "fields." + key;
          if (field == null) {
            faults.problem(
                at, "is no field of this stream; there are " + String.join(", ", known.keySet()));
          } else {
            List<?> several = value instanceof List<?> list ? list : Arrays.asList(value);
            FieldTraits traits = FieldTraits.of(field);
            several.forEach(one -> rules.add(new FieldRule(field, values.parse(at, traits, one))));
          }
        });
    for (EventField field : known.values()) {
      // A rider who is not sent is the one that the key is bound to.
      if (kind.requires(field)
          && field != EventField.RIDER_ID
          && rules.stream().noneMatch(rule -> rule.field() == field)) {
        faults.problem(
            "fields." + field.label(), "is missing, and each record of this stream needs it");
      }
    }
    if (rules.size() > RULES_MAX) {
      faults.problem("fields", "are read from " + rules.size() + " places, not up to " + RULES_MAX);
    }
    return rules;
  }
}
