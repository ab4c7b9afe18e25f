package gilmok.statements;

import gilmok.config.Settings;
import java.time.DateTimeException;
import java.time.ZoneId;

/**
 * Bounds of statements, and what they take for granted.
 *
 * @param zone whose days they count
 * @param currency of entries and statements that name none, ISO 4217
 * @param atWorkMax how many requests ask the store at once; reads may be half of them
 * @param streamsMax how many statements are streamed with their entries at once
 */
public record StatementsConfig(ZoneId zone, String currency, int atWorkMax, int streamsMax) {
  /**
   * Reads the keys {@code statements.*} and {@code fleet.zone}.
   *
   * @param currency the fleet's
   */
  public static StatementsConfig from(Settings settings, String currency) {
    return new StatementsConfig(
        zone(settings),
        currency,
        settings.number("statements.concurrency-max", 256, 2, 100_000),
        settings.number("statements.streams-max", 64, 1, 10_000));
  }

  private static ZoneId zone(Settings settings) {
    String name = settings.text("fleet.zone", "Asia/Seoul");
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      settings.problem("fleet.zone: \"" + name + "\" is no time zone (an example: Europe/Berlin)");
      return ZoneId.of("Asia/Seoul");
    }
  }
}
