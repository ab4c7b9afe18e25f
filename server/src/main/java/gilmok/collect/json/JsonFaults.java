package gilmok.collect.json;

import org.jspecify.annotations.Nullable;

/** The first fault of a record that is JSON. Not thread-safe. */
final class JsonFaults {
  private String member = "";
  private String field = "";
  private @Nullable String reason;

  void clear() {
    reason = null;
  }

  /** Sets the field that {@link #value} is about. */
  void member(String label) {
    member = label;
  }

  /** Notes a fault of the present member's value. */
  void value(String reason) {
    note(member, reason);
  }

  void note(String field, String reason) {
    if (this.reason == null) {
      this.field = field;
      this.reason = reason;
    }
  }

  String field() {
    return field;
  }

  /** Why the record cannot be kept; null if nothing was wrong. */
  @Nullable String reason() {
    return reason;
  }
}
