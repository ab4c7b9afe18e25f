package gilmok.deliveries;

import gilmok.auth.Binding;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to happen to a delivery.
 *
 * @param step not {@link Step#CREATE}
 * @param by who: {@code key:ID} or {@code rider:ID}
 * @param binding whom the asker acts for, who has to be part of the delivery; null for the fleet
 * @param atMillis when it happens, as its author says, epoch ms
 * @param ifVersion only if the delivery has this version; null for any
 * @param riderId to whom it is assigned; null but for {@link Step#ASSIGN}
 * @param agencyId who accepts; null but for {@link Step#ACCEPT}, and there too when not said
 * @param reason null when not said
 * @param source the record id of the rider's action; null for a request
 */
public record Move(
    Step step,
    String by,
    @Nullable Binding binding,
    long atMillis,
    @Nullable Integer ifVersion,
    @Nullable Double lat,
    @Nullable Double lon,
    @Nullable String riderId,
    @Nullable String agencyId,
    @Nullable String reason,
    @Nullable DeliveryProof proof,
    @Nullable String source) {}
