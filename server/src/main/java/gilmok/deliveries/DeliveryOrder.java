package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * What a shop orders: what creation said, never changed afterwards but for the agency, which {@link
 * Step#ACCEPT} may name.
 *
 * @param orderId the shop's own; unique for each shop
 * @param fee whole minor units of the currency; null when not said
 * @param currency ISO 4217; null exactly where there is no fee
 * @param readyAtMillis when it can be picked up, epoch ms; null when not said
 * @param dueByMillis when it should have arrived, epoch ms; null when not said
 */
public record DeliveryOrder(
    String orderId,
    String shopId,
    @Nullable String agencyId,
    @Nullable String customerId,
    DeliveryPlace pickup,
    DeliveryPlace dropoff,
    @Nullable Long fee,
    @Nullable String currency,
    @Nullable Long readyAtMillis,
    @Nullable Long dueByMillis,
    @Nullable String comment) {}
