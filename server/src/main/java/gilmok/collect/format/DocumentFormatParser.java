package gilmok.collect.format;

import gilmok.collect.format.DocumentFormat.DocumentRule;
import gilmok.collect.format.Format.Content;
import gilmok.config.InvalidSettings;
import gilmok.config.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the declaration of records that another system has kept, and names everything that is wrong
 * with it. Not thread-safe: one for each declaration.
 */
public final class DocumentFormatParser {
  private static final String INTO = "into";
  private static final Set<String> MEMBERS =
      Set.of(INTO, "content", "columns", "separator", "fields");

  private final FormatFaults faults = new FormatFaults();
  private final Map<String, Map<String, FieldTraits>> targets;

  /**
   * @param targets what can be imported, by name, and the fields of each
   */
  private DocumentFormatParser(Map<String, Map<String, FieldTraits>> targets) {
    this.targets = targets;
  }

  /** Whether a file has such a declaration, and not that of an app's uploads. */
  public static boolean isOne(Path file) {
    try {
      return YamlFile.read(file, "it").containsKey(INTO);
    } catch (InvalidSettings unreadable) {
      return false; // whoever reads it names the fault
    }
  }

  /**
   * Reads a file.
   *
   * @param targets what can be imported, by name, and the fields of each
   * @param problems takes everything that is wrong with it
   * @return null when something is
   */
  public static @Nullable DocumentFormat read(
      Path file, Map<String, Map<String, FieldTraits>> targets, List<String> problems) {
    DocumentFormatParser parser = new DocumentFormatParser(targets);
    try {
      DocumentFormat format = parser.parse(YamlFile.read(file, "it"));
      problems.addAll(parser.faults.all());
      return parser.faults.all().isEmpty() ? format : null;
    } catch (InvalidSettings unreadable) {
      problems.addAll(unreadable.problems());
      return null;
    }
  }

  private DocumentFormat parse(Map<?, ?> tree) {
    faults.only("", tree, MEMBERS);
    String into = faults.text(tree, "", INTO);
    Map<String, FieldTraits> fields = targets.get(into == null ? "" : into);
    if (fields == null) {
      faults.problem(
          INTO,
          "is \"" + into + "\", none of " + String.join(", ", new TreeSet<>(targets.keySet())));
      fields = Map.of();
    }
    Content content = content(tree);
    List<String> columns = new ArrayList<>();
    if (tree.get("columns") instanceof List<?> list && content == Content.CSV) {
      list.forEach(one -> columns.add(String.valueOf(one)));
    } else if (tree.get("columns") != null) {
      faults.problem("columns", "must be a list of names, for content csv");
    }
    String separator = faults.text(tree, "", "separator");
    boolean isSeparator =
        separator == null
            || (content == Content.CSV && Set.of(",", ";", "\t", "|").contains(separator));
    if (!isSeparator) {
      faults.problem(
          "separator", "must be a comma, a semicolon, a tab or a vertical bar, for content csv");
    }
    List<DocumentRule> rules = rules(tree, content, fields);
    return new DocumentFormat(
        into == null ? "" : into,
        content,
        columns,
        separator == null || !isSeparator ? ',' : separator.charAt(0),
        rules);
  }

  private Content content(Map<?, ?> tree) {
    String given = faults.text(tree, "", "content");
    if (given == null || given.equals("lines")) {
      return Content.LINES;
    }
    if (!given.equals("csv")) {
      faults.problem("content", "is \"" + given + "\", none of lines, csv");
    }
    return Content.CSV;
  }

  private List<DocumentRule> rules(
      Map<?, ?> tree, Content content, Map<String, FieldTraits> known) {
    List<DocumentRule> rules = new ArrayList<>();
    if (!(tree.get("fields") instanceof Map<?, ?> fields)) {
      faults.problem("fields", "is missing: which value is which field");
      return rules;
    }
    Format.Shape shape = new Format.Shape(content, "", List.of(), ',');
    ValueRuleParser parser = new ValueRuleParser(faults, shape, Set.of());
    fields.forEach(
        (key, value) -> {
          String target = String.valueOf(key);
          FieldTraits traits = known.get(target);
          if (traits == null) {
            faults.problem(
                "fields." + target,
                "is no field of these; there are "
                    + String.join(", ", new LinkedHashSet<>(known.keySet())));
            return;
          }
          List<?> several = value instanceof List<?> list ? list : Arrays.asList(value);
          for (Object one : several) {
            ValueRule rule = parser.parse("fields." + target, traits, one);
            if (rule.source() instanceof ValueSource.InRecord
                || rule.source() instanceof ValueSource.Constant) {
              rules.add(new DocumentRule(target, traits, rule));
            } else {
              faults.problem(
                  "fields." + target, "is read from the record, as in /created, or constant");
            }
          }
        });
    return rules;
  }
}
