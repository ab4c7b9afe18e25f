package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * The fee and times of an order; each may be absent. Immutable.
 *
 * @param fee whole minor units of the currency, 0 to {@link #FEE_MAX}
 * @param currency ISO 4217; null exactly when there is no fee
 * @param readyAtMillis when it can be picked up, epoch ms
 * @param dueByMillis when it should have arrived, epoch ms
 */
public record OrderTerms(
    @Nullable Long fee,
    @Nullable String currency,
    @Nullable Long readyAtMillis,
    @Nullable Long dueByMillis,
    @Nullable String comment) {
  /** The largest fee: a statement's entry holds no larger amount. */
  public static final long FEE_MAX = 1_000_000_000_000L;

  /** All absent. */
  public static final OrderTerms NONE = new OrderTerms(null, null, null, null, null);
}
