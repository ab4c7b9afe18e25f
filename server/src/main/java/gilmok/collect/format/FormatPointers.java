package gilmok.collect.format;

import gilmok.collect.json.JsonPointers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The rules of a format, by where their values are: compiled once for a decoder. Immutable.
 *
 * @param ofBody the pointers into the body, and to the records
 * @param ofRecord the pointers into each record
 * @param byName for forms and CSV: the rule of each name
 */
record FormatPointers(JsonPointers ofBody, JsonPointers ofRecord, Map<String, Integer> byName) {
  /**
   * Compiles a format.
   *
   * @param problems takes the field and the reason of what cannot be
   */
  static FormatPointers of(Format format, BiConsumer<String, String> problems) {
    JsonPointers ofBody = new JsonPointers();
    JsonPointers ofRecord = new JsonPointers();
    Map<String, Integer> byName = new HashMap<>();
    List<FieldRule> rules = format.fields();
    for (int i = 0; i < rules.size(); i++) {
      FieldRule rule = rules.get(i);
      String fault = null;
      if (rule.source() instanceof ValueSource.InBody(String pointer)) {
        fault = ofBody.add(pointer, i);
      } else if (rule.source() instanceof ValueSource.InRecord(String pointer)) {
        fault = ofRecord.add(pointer, i);
        for (String name : JsonPointers.tokens(pointer)) {
          byName.put(name, i);
        }
      }
      if (fault != null) {
        problems.accept("fields." + rule.field().label(), rule.source().label() + " " + fault);
      }
    }
    String fault = ofBody.records(format.shape().records());
    if (fault != null) {
      problems.accept("records", fault);
    }
    return new FormatPointers(ofBody, ofRecord, Map.copyOf(byName));
  }
}
