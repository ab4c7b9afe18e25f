package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * What a shop orders: what creation said, never changed afterwards but for the agency, which {@link
 * Step#ACCEPT} may name.
 *
 * @param orderId the shop's own; unique for each shop
 */
public record DeliveryOrder(
    String orderId,
    String shopId,
    @Nullable String agencyId,
    @Nullable String customerId,
    DeliveryPlace pickup,
    DeliveryPlace dropoff,
    OrderTerms terms) {}
