package gilmok.collect.format;

import gilmok.event.EventField;
import gilmok.event.EventKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A declared format: which requests are in it, where in them the records and their fields are, and
 * how they are answered. Valid once it is made. Immutable.
 *
 * @param name its name in metrics and lists, as in {@code rider-app}
 * @param method GET, POST or PUT
 * @param path of the requests; a segment in braces is any text
 * @param kind what its records are
 * @param shape how the upload is written, and where the records are in it
 * @param fields how each field is read; of several for one field the first that is sent counts
 * @param others what becomes of members that no field is read from
 * @param constants attributes that each record gets, as JSON, by name; in the order of the
 *     declaration, as a repeat is recognised by its bytes
 */
public record Format(
    String name,
    String method,
    String path,
    EventKind kind,
    Shape shape,
    List<FieldRule> fields,
    Others others,
    Map<String, String> constants,
    FormatAnswer answer) {
  public Format {
    fields = List.copyOf(fields);
    constants = Collections.unmodifiableMap(new LinkedHashMap<>(constants)); // in their order
  }

  /** The stream of its records: traces, actions or logs. */
  public String stream() {
    return switch (kind) {
      case POSITION -> "traces";
      case ACTION -> "actions";
      default -> "logs";
    };
  }

  /** What the app calls a field; our own name where it cannot send it. */
  String labelOf(EventField which) {
    return fields.stream()
        .filter(rule -> rule.field() == which)
        .map(rule -> rule.source().label())
        .findFirst()
        .orElse(which.label());
  }

  /** How an upload is written. */
  public enum Content {
    /** A JSON object or array. */
    JSON,
    /** A JSON object a line. */
    LINES,
    /** Parameters of the URI or of a form: one record. */
    FORM,
    /** Comma-separated values, a record a line. */
    CSV
  }

  /**
   * How an upload is written, and where the records are in it.
   *
   * @param records JSON only: a pointer to the array of records, or to the one; empty for the whole
   *     body
   * @param columns CSV only: the columns' names; none if the first line has them
   * @param separator CSV only: what stands between two values
   */
  public record Shape(Content content, String records, List<String> columns, char separator) {
    public Shape {
      columns = List.copyOf(columns);
    }
  }

  /**
   * What becomes of a record's members that no field is read from.
   *
   * @param kept the names of those that become attributes; null for all
   */
  public record Others(@Nullable List<String> kept) {
    public static final Others KEEP = new Others(null);
    public static final Others DROP = new Others(List.of());

    public Others {
      kept = kept == null ? null : List.copyOf(kept);
    }
  }

  /**
   * The answer to an upload once it is durable.
   *
   * @param status 200 to 299
   * @param type its content type; empty for an answer without a body
   * @param hasIndicators whether it is the rider's indicators of today, where there is room; the
   *     rest is the answer where there is none
   */
  public record FormatAnswer(int status, String type, String body, boolean hasIndicators) {}
}
