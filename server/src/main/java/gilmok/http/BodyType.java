package gilmok.http;

import java.util.Set;

/**
 * What a route's body may be, by its content type. A missing one counts as JSON, as programs leave
 * it out.
 */
public enum BodyType {
  /** One JSON document. */
  JSON("application/json", Set.of("", "application/json", "text/json")),
  /** JSON, or one JSON document a line. */
  JSON_LINES(
      "application/json or application/x-ndjson",
      Set.of(
          "",
          "application/json",
          "text/json",
          "application/x-ndjson",
          "application/ndjson",
          "application/jsonl",
          "application/x-jsonlines")),
  /** Whatever an app sends; the handler finds out. */
  ANY("anything", Set.of());

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // unmodifiable, and never shared
  private final Set<String> types;

  BodyType(String label, Set<String> types) {
    this.label = label;
    this.types = types;
  }

  /** What to send, in words for the client. */
  String label() {
    return label;
  }

  /** Whether a body of this content type, without parameters and in lower case, is taken. */
  boolean takes(String contentType) {
    return this == ANY || types.contains(contentType);
  }
}
