package gilmok.statements;

import gilmok.config.Settings;
import java.time.ZoneId;

/**
 * Limits and defaults of statements. Immutable.
 *
 * @param zone the time zone of the days
 * @param currency the currency of entries and statements that name none, ISO 4217
 * @param atWorkMax most requests that use the store at a time; at most half of them reads
 * @param streamsMax most statements that are streamed with their entries at a time
 */
public record StatementsConfig(ZoneId zone, String currency, int atWorkMax, int streamsMax) {
  /**
   * Reads the keys {@code statements.*} and {@code fleet.zone}.
   *
   * @param currency the fleet's currency
   */
  public static StatementsConfig from(Settings settings, String currency) {
    return new StatementsConfig(
        settings.zone("fleet.zone", "Asia/Seoul"),
        currency,
        settings.number("statements.concurrency-max", 256, 2, 100_000),
        settings.number("statements.streams-max", 64, 1, 10_000));
  }
}
