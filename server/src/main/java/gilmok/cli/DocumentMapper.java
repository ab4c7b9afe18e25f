package gilmok.cli;

import gilmok.collect.dialect.PhoneTimes;
import gilmok.collect.format.DocumentFormat;
import gilmok.collect.format.DocumentFormat.DocumentRule;
import gilmok.collect.format.ValueRule;
import gilmok.collect.format.ValueSource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes our records of those of another system, as a declaration says. What is required, and what
 * is too long, is left to the server to check. Thread-safe.
 */
final class DocumentMapper {
  private static final int WHOLE_DIGITS_MAX = 18;

  /** A rule, with its pointer compiled; null for a constant. */
  private record Compiled(DocumentRule rule, @Nullable JsonPointer pointer, List<String> target) {}

  private final List<Compiled> rules = new ArrayList<>();
  private final boolean isOfDeliveries;

  /** What a record became: ours, or what is wrong with it. */
  sealed interface Mapped {
    /** Our record. */
    record Good(ObjectNode record) implements Mapped {}

    /**
     * A value that does not fit.
     *
     * @param field ours and theirs, as in {@code createdAt (/created)}
     */
    record Wrong(String field, String reason) implements Mapped {}
  }

  DocumentMapper(DocumentFormat format) {
    isOfDeliveries = format.into().equals("deliveries");
    for (DocumentRule rule : format.rules()) {
      JsonPointer pointer =
          rule.value().source() instanceof ValueSource.InRecord(String text)
              ? JsonPointer.compile(text)
              : null;
      rules.add(new Compiled(rule, pointer, List.of(rule.target().split("\\."))));
    }
  }

  /** Makes ours of a record. */
  Mapped map(JsonNode theirs) {
    ObjectNode ours = JsonMapper.shared().createObjectNode();
    Set<String> set = new HashSet<>();
    for (Compiled one : rules) {
      JsonNode value = set.contains(one.rule.target()) ? null : value(one, theirs);
      if (value == null) {
        continue;
      }
      String wrong = put(one, value, ours);
      if (wrong != null) {
        String label = one.rule.target() + " (" + one.rule.value().source().label() + ")";
        return new Mapped.Wrong(label, wrong);
      }
      boolean _ = set.add(one.rule.target());
    }
    if (isOfDeliveries && !ours.has("fee")) {
      ours.remove("currency"); // a constant, as of all that have a fee
    }
    return new Mapped.Good(ours);
  }

  /** The value that a rule finds; null when there is none. */
  private static @Nullable JsonNode value(Compiled one, JsonNode theirs) {
    if (one.rule.value().source() instanceof ValueSource.Constant(String text)) {
      return JsonMapper.shared().getNodeFactory().stringNode(text);
    }
    JsonNode found = theirs.at(one.pointer);
    boolean isAbsent = found.isMissingNode() || found.isNull();
    boolean isEmpty = found.isString() && found.stringValue().isEmpty();
    return isAbsent || isEmpty || scalar(found).equals(one.rule.value().unknown()) ? null : found;
  }

  private static String scalar(JsonNode node) {
    return node.isString() ? node.stringValue() : node.toString();
  }

  /** Puts a value; returns what is wrong with it, or null. */
  private static @Nullable String put(Compiled one, JsonNode value, ObjectNode ours) {
    ObjectNode at = ours;
    for (String name : one.target.subList(0, one.target.size() - 1)) {
      at = at.path(name) instanceof ObjectNode there ? there : at.putObject(name);
    }
    String name = one.target.getLast();
    ValueRule rule = one.rule.value();
    switch (one.rule.traits().kind()) {
      case TEXT -> {
        if (value.isContainer()) {
          return "not a text";
        }
        at.put(name, rule.values().getOrDefault(scalar(value), scalar(value)));
      }
      case NUMBER -> {
        BigDecimal number = number(value);
        if (number == null) {
          return "not a number";
        }
        at.put(name, number.doubleValue() * rule.factor());
      }
      case WHOLE -> {
        BigDecimal number = number(value);
        BigDecimal whole =
            number == null ? null : number.multiply(BigDecimal.valueOf(rule.factor()));
        if (whole == null || whole.precision() - whole.scale() > WHOLE_DIGITS_MAX) {
          return "not a number";
        }
        if (whole.stripTrailingZeros().scale() > 0) {
          return "not a whole number; a factor makes one of a fraction, as 100 of cents";
        }
        at.put(name, whole.setScale(0, RoundingMode.UNNECESSARY).longValueExact());
      }
      case TIME -> {
        if (value.isNumber() && number(value) == null) {
          return "not a time as it is declared";
        }
        long millis =
            value.isNumber() ? rule.time().of(value.doubleValue()) : rule.time().of(scalar(value));
        if (millis == PhoneTimes.NOT_A_TIME) {
          return "not a time as it is declared";
        }
        at.put(name, millis);
      }
      case OBJECT -> {
        JsonNode object = value.isString() ? parsed(value.stringValue()) : value;
        if (!object.isObject()) {
          return "not an object";
        }
        at.set(name, object);
      }
    }
    return null;
  }

  private static JsonNode parsed(String text) {
    JsonMapper mapper = JsonMapper.shared();
    try {
      return mapper.readTree(text);
    } catch (JacksonException none) {
      return mapper.missingNode();
    }
  }

  private static @Nullable BigDecimal number(JsonNode value) {
    if (value.isNumber()) {
      boolean isFinite = !value.isFloatingPointNumber() || Double.isFinite(value.doubleValue());
      return isFinite ? value.decimalValue() : null;
    }
    String text = scalar(value).strip();
    return NumberTexts.isNumber(text) && text.length() <= 40 ? new BigDecimal(text) : null;
  }
}
