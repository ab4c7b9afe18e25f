package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * How a delivery stands.
 *
 * @param agencyId the order's, or the one that accepted
 * @param version how many events have changed it; 1 at creation
 * @param riderId who has it; null when nobody
 * @param reason why it was declined, cancelled or failed; null when not said
 * @param proof that it arrived; null when none was given
 */
public record DeliveryState(
    @Nullable String agencyId,
    Status status,
    int version,
    @Nullable String riderId,
    @Nullable String reason,
    @Nullable DeliveryProof proof) {}
