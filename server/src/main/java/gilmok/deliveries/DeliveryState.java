package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * The state of a delivery. Immutable.
 *
 * @param agencyId the agency of the order, or the one that accepted; null when there is none
 * @param version how many events have changed it; 1 at creation
 * @param riderId the rider who has it; null when nobody has
 * @param reason why it was declined, cancelled or failed; null when not given
 * @param proof the proof of arrival; null when none was given
 */
public record DeliveryState(
    @Nullable String agencyId,
    Status status,
    int version,
    @Nullable String riderId,
    @Nullable String reason,
    @Nullable DeliveryProof proof) {}
