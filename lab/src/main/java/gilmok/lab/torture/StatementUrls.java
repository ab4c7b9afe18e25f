package gilmok.lab.torture;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import tools.jackson.databind.JsonNode;

/** Where statements are asked for, and what they say. Pure functions. */
final class StatementUrls {
  private StatementUrls() {}

  /** Three days before to three days after: whatever the clock said. */
  static String path(String rider, long atMillis) {
    Instant at = Instant.ofEpochMilli(atMillis);
    return "/v1/riders/"
        + rider
        + "/statement?from="
        + at.minus(Duration.ofDays(3)).atZone(ZoneOffset.UTC).toLocalDate()
        + "&to="
        + at.plus(Duration.ofDays(3)).atZone(ZoneOffset.UTC).toLocalDate();
  }

  /** The sums of an answer. */
  static Entries.Sum sum(JsonNode statement) {
    JsonNode total = statement.path("total");
    return new Entries.Sum(
        total.path("count").asLong(-1),
        total.path("fee").asLong(-1),
        total.path("incentive").asLong(-1),
        total.path("deduction").asLong(-1));
  }
}
