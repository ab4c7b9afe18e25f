package gilmok.collect.format;

import java.util.List;

/**
 * A declared format of records that another system has kept: into which of ours they are made, and
 * how. Valid once it is made. Immutable.
 *
 * @param into the name of what they become, such as {@code deliveries}
 * @param content lines (a JSON object each) or CSV
 * @param columns CSV only: the columns' names; none if the first line has them
 * @param separator CSV only: what stands between two values
 * @param rules how each field is read; of several for one field the first that has a value counts
 */
public record DocumentFormat(
    String into,
    Format.Content content,
    List<String> columns,
    char separator,
    List<DocumentRule> rules) {
  public DocumentFormat {
    columns = List.copyOf(columns);
    rules = List.copyOf(rules);
  }

  /**
   * How one field is read.
   *
   * @param target the field's name, with dots between the names of objects within each other
   */
  public record DocumentRule(String target, FieldTraits traits, ValueRule value) {}
}
