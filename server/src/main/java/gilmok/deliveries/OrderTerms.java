package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * What an order pays and by when it is wanted; each may be left unsaid.
 *
 * @param fee whole minor units of the currency
 * @param currency ISO 4217; null exactly where there is no fee
 * @param readyAtMillis when it can be picked up, epoch ms
 * @param dueByMillis when it should have arrived, epoch ms
 */
public record OrderTerms(
    @Nullable Long fee,
    @Nullable String currency,
    @Nullable Long readyAtMillis,
    @Nullable Long dueByMillis,
    @Nullable String comment) {
  /** Nothing said. */
  public static final OrderTerms NONE = new OrderTerms(null, null, null, null, null);
}
