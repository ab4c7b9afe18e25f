package gilmok.statements;

import gilmok.config.Settings;
import java.time.Duration;
import java.time.ZoneId;

/**
 * Limits and defaults of statements. Immutable.
 *
 * @param zone the time zone of the days
 * @param currency the currency of entries and statements that name none, ISO 4217
 * @param atWorkMax most requests that use the store at a time; at most half of them reads
 * @param streamsMax most statements that are streamed with their entries at a time
 * @param keep {@code statements.keep}: how long entries are kept after their time; zero: for ever
 */
public record StatementsConfig(
    ZoneId zone, String currency, int atWorkMax, int streamsMax, Duration keep) {
  /** A statement of the last month is always whole. */
  private static final Duration KEEP_MIN = Duration.ofDays(31);

  private static final Duration KEEP_MAX = Duration.ofDays(3650);

  /**
   * Reads the keys {@code statements.*} and {@code fleet.zone}.
   *
   * @param currency the fleet's currency
   */
  public static StatementsConfig from(Settings settings, String currency) {
    Duration keep = settings.duration("statements.keep", "0 s", Duration.ZERO, KEEP_MAX);
    if (!keep.isZero() && keep.compareTo(KEEP_MIN) < 0) {
      settings.problem("statements.keep: less than 31 d; 0 s is for ever");
    }
    return new StatementsConfig(
        settings.zone("fleet.zone", "Asia/Seoul"),
        currency,
        settings.number("statements.concurrency-max", 256, 2, 100_000),
        settings.number("statements.streams-max", 64, 1, 10_000),
        keep);
  }

  /** The same, with nothing archived or removed. */
  public StatementsConfig keepingAll() {
    return new StatementsConfig(zone, currency, atWorkMax, streamsMax, Duration.ZERO);
  }
}
