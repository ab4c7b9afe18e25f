package gilmok.deliveries;

import gilmok.config.Settings;

/**
 * Limits and defaults of deliveries. Immutable.
 *
 * @param atWorkMax most requests that use the store at a time; at most half of them reads
 * @param currency the currency of fees that name none, ISO 4217
 * @param unsafeActionsByAnyKey {@code deliveries.unsafe-actions-by-any-key}: whether an action
 *     moves a delivery whoever sends it
 */
public record DeliveriesConfig(int atWorkMax, String currency, boolean unsafeActionsByAnyKey) {
  /** Reads the keys {@code deliveries.*} and {@code fleet.currency}. */
  public static DeliveriesConfig from(Settings settings) {
    String currency = settings.text("fleet.currency", "KRW");
    if (!OrderBody.isCurrency(currency)) {
      settings.problem("fleet.currency: \"" + currency + "\" is no code of ISO 4217");
    }
    return new DeliveriesConfig(
        settings.number("deliveries.concurrency-max", 1024, 2, 100_000),
        currency,
        settings.flag("deliveries.unsafe-actions-by-any-key", false));
  }
}
