package gilmok.deliveries;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * Limits and defaults of deliveries. Immutable.
 *
 * @param atWorkMax most requests that use the store at a time; at most half of them reads
 * @param currency the currency of fees that name none, ISO 4217
 * @param unsafeActionsByAnyKey {@code deliveries.unsafe-actions-by-any-key}: whether an action
 *     moves a delivery whoever sends it
 * @param keep {@code deliveries.keep}: how long deliveries are kept after their creation and their
 *     last change; zero: for ever
 */
public record DeliveriesConfig(
    int atWorkMax, String currency, boolean unsafeActionsByAnyKey, Duration keep) {
  /** Longer than an idempotency key, a lease or an early action refers to a delivery. */
  private static final Duration KEEP_MIN = Duration.ofDays(7);

  private static final Duration KEEP_MAX = Duration.ofDays(3650);

  /** Reads the keys {@code deliveries.*} and {@code fleet.currency}. */
  public static DeliveriesConfig from(Settings settings) {
    String currency = settings.text("fleet.currency", "KRW");
    if (!OrderBody.isCurrency(currency)) {
      settings.problem("fleet.currency: \"" + currency + "\" is no code of ISO 4217");
    }
    Duration keep = settings.duration("deliveries.keep", "0 s", Duration.ZERO, KEEP_MAX);
    if (!keep.isZero() && keep.compareTo(KEEP_MIN) < 0) {
      settings.problem("deliveries.keep: less than 7 d; 0 s is for ever");
    }
    return new DeliveriesConfig(
        settings.number("deliveries.concurrency-max", 1024, 2, 100_000),
        currency,
        settings.flag("deliveries.unsafe-actions-by-any-key", false),
        keep);
  }

  /** The same, with nothing archived or removed. */
  public DeliveriesConfig keepingAll() {
    return new DeliveriesConfig(atWorkMax, currency, unsafeActionsByAnyKey, Duration.ZERO);
  }
}
