package gilmok.lab.torture;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import tools.jackson.databind.JsonNode;

/** The URLs of statements, and their contents. Pure functions. */
final class StatementUrls {
  private StatementUrls() {}

  /**
   * The path of a rider's statement, from three days before to three days after a time, to cover
   * every jump of the clock.
   */
  static String path(String rider, long atMillis) {
    Instant at = Instant.ofEpochMilli(atMillis);
    return "/v1/riders/"
        + rider
        + "/statement?from="
        + at.minus(Duration.ofDays(3)).atZone(ZoneOffset.UTC).toLocalDate()
        + "&to="
        + at.plus(Duration.ofDays(3)).atZone(ZoneOffset.UTC).toLocalDate();
  }

  /** The sums in a response. */
  static Entries.Sum sum(JsonNode statement) {
    JsonNode total = statement.path("total");
    return new Entries.Sum(
        total.path("count").asLong(-1),
        total.path("fee").asLong(-1),
        total.path("incentive").asLong(-1),
        total.path("deduction").asLong(-1));
  }
}
