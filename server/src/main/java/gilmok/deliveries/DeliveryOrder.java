package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * What a shop orders. Fixed at creation, but for the agency, which {@link Step#ACCEPT} can set.
 * Immutable.
 *
 * @param orderId the shop's own id; unique for each shop
 */
public record DeliveryOrder(
    String orderId,
    String shopId,
    @Nullable String agencyId,
    @Nullable String customerId,
    DeliveryPlace pickup,
    DeliveryPlace dropoff,
    OrderTerms terms) {}
