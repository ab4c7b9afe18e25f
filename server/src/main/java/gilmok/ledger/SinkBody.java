package gilmok.ledger;

import gilmok.event.Rfc3339;
import gilmok.http.JsonBody;
import gilmok.sinks.SinkLimits;
import gilmok.sinks.Tuning;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The parsed bodies of the sinks' routes. */
sealed interface SinkBody {
  /** Not a JSON object. */
  record Unreadable() implements SinkBody {}

  /** A field is wrong. */
  record Wrong(String field, String reason) implements SinkBody {}

  /** {@code {"sequence": n}}. */
  record ToSequence(long sequence) implements SinkBody {}

  /** {@code {"time": "RFC 3339"}}. */
  record ToTime(long millis) implements SinkBody {}

  /** Some of {@code {batchRecordsMax, batchBytesMax, batchAgeMaxMillis, maxConcurrency}}. */
  record Tuned(Tuning tuning) implements SinkBody {}

  /** Reads bodies. Thread-safe. */
  final class Reader {
    private static final long AGE_MAX_MILLIS = Duration.ofMinutes(10).toMillis();
    private static final long BATCH_BYTES_MIN = 1024;
    private static final List<String> TUNING =
        List.of("batchRecordsMax", "batchBytesMax", "batchAgeMaxMillis", "maxConcurrency");

    /** Reads the target of a rewind. */
    SinkBody rewind(byte[] body) {
      return switch (JsonBody.object(body, 0, body.length)) {
        case JsonNode root when root.size() != 1 ->
            new Wrong("body", "needs either sequence or time");
        case JsonNode root when root.has("sequence") -> {
          JsonNode sequence = root.path("sequence");
          yield sequence.isIntegralNumber() && sequence.canConvertToLong()
              ? new ToSequence(sequence.longValue())
              : new Wrong("sequence", "needs a whole number");
        }
        case JsonNode root when root.has("time") -> time(root.path("time"));
        case JsonNode root ->
            new Wrong(root.propertyNames().iterator().next(), "needs either sequence or time");
        case null -> new Unreadable();
      };
    }

    private static SinkBody time(JsonNode time) {
      long millis = Rfc3339.parse(time.isString() ? time.stringValue() : null);
      return millis == Rfc3339.NOT_A_TIME
          ? new Wrong("time", "needs RFC 3339, as in 2026-11-21T09:00:00Z")
          : new ToTime(millis);
    }

    /** Reads a tuning; members that are missing keep their present value. */
    SinkBody tuning(byte[] body, Tuning present, SinkLimits limits) {
      JsonNode root = JsonBody.object(body, 0, body.length);
      if (root == null) {
        return new Unreadable();
      }
      long[] values = {
        present.batchRecordsMax(),
        present.batchBytesMax(),
        present.batchAgeMax().toMillis(),
        present.maxConcurrency()
      };
      long[] least = {1, BATCH_BYTES_MIN, 1, 1};
      long[] most = {
        limits.batchRecordsMax(), limits.batchBytesMax(), AGE_MAX_MILLIS, limits.concurrencyMax()
      };
      for (String field : root.propertyNames()) {
        int i = TUNING.indexOf(field);
        JsonNode value = root.path(field);
        if (i < 0) {
          return new Wrong(field, "can not be tuned; what can: " + String.join(", ", TUNING));
        }
        if (!value.isIntegralNumber()
            || !value.canConvertToLong()
            || value.longValue() < least[i]
            || value.longValue() > most[i]) {
          return new Wrong(field, "needs a whole number from " + least[i] + " to " + most[i]);
        }
        values[i] = value.longValue();
      }
      return new Tuned(
          new Tuning((int) values[0], values[1], Duration.ofMillis(values[2]), (int) values[3]));
    }
  }
}
