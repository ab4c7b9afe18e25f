package gilmok.ledger;

import gilmok.event.QuarantinedView;
import gilmok.event.Rfc3339;
import gilmok.http.JsonBody;
import gilmok.log.Stream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Selects quarantined records. A value.
 *
 * @param sink only records that this sink refused; null: any, and those that collecting refused
 * @param stream only records meant for this stream; null for any
 * @param reason only records whose reason contains this; null for any
 * @param fromMillis only records quarantined at this time or later, epoch ms
 * @param toMillis only records quarantined before this time, epoch ms
 */
record ReplayFilter(
    @Nullable String sink,
    @Nullable String stream,
    @Nullable String reason,
    long fromMillis,
    long toMillis) {

  /** The result of reading a body. */
  sealed interface Body {}

  /** A filter. */
  record Read(ReplayFilter filter) implements Body {}

  /** A field is wrong. */
  record Wrong(String field, String reason) implements Body {}

  /** Not a JSON object. */
  record Unreadable() implements Body {}

  boolean fits(QuarantinedView aside, long atMillis) {
    return (sink == null || sink.equals(aside.sink()))
        && (stream == null || stream.equals(aside.stream()))
        && (reason == null || aside.reason().contains(reason))
        && atMillis >= fromMillis
        && atMillis < toMillis;
  }

  /** Writes the filter as the audit shows it: the members that it has. */
  String json() {
    ObjectNode filter = JsonMapper.shared().createObjectNode();
    put(filter, "sink", sink);
    put(filter, "stream", stream);
    put(filter, "reason", reason);
    put(filter, "from", fromMillis == 0 ? null : Instant.ofEpochMilli(fromMillis).toString());
    put(
        filter,
        "to",
        toMillis == Long.MAX_VALUE ? null : Instant.ofEpochMilli(toMillis).toString());
    return filter.toString();
  }

  private static void put(ObjectNode filter, String name, @Nullable String value) {
    if (value != null) {
      filter.put(name, value);
    }
  }

  /** Reads bodies; an empty one means everything. Thread-safe. */
  static final class Reader {
    private static final List<String> FIELDS = List.of("sink", "stream", "reason", "from", "to");

    Body read(byte[] body) {
      byte[] object = body.length == 0 ? new byte[] {'{', '}'} : body;
      JsonNode root = JsonBody.object(object, 0, object.length);
      return root == null ? new Unreadable() : read(root);
    }

    private static Body read(JsonNode root) {
      for (String field : root.propertyNames()) {
        if (!FIELDS.contains(field)) {
          return new Wrong(field, "is none of " + String.join(", ", FIELDS));
        }
        if (!root.path(field).isString()) {
          return new Wrong(field, "needs a text");
        }
      }
      String stream = text(root, "stream");
      if (stream != null && Stream.of(stream) == null) {
        return new Wrong("stream", "there is no such stream");
      }
      long from = time(root, "from", 0);
      long to = time(root, "to", Long.MAX_VALUE);
      if (from == Rfc3339.NOT_A_TIME || to == Rfc3339.NOT_A_TIME) {
        String field = from == Rfc3339.NOT_A_TIME ? "from" : "to";
        return new Wrong(field, "needs RFC 3339, as in 2026-11-21T09:00:00Z");
      }
      if (from >= to) {
        return new Wrong("to", "must be later than from");
      }
      return new Read(new ReplayFilter(text(root, "sink"), stream, text(root, "reason"), from, to));
    }

    private static @Nullable String text(JsonNode root, String field) {
      return root.has(field) ? root.path(field).asString("") : null;
    }

    private static long time(JsonNode root, String field, long unsaid) {
      String text = text(root, field);
      if (text == null) {
        return unsaid;
      }
      return Rfc3339.parse(text);
    }
  }
}
