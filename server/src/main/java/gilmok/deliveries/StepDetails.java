package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * The optional details of a step. Immutable.
 *
 * @param lat the latitude where it happened, degrees; null when not given, as is {@code lon}
 * @param riderId the rider it concerns; null for none
 * @param agencyId the agency that accepts; null otherwise, and when not given
 * @param reason null when not given
 * @param source the record id ({@code node:sequence}) of the rider's action, or the {@link
 *     IdempotencyKey} of the request; null for a request without one
 */
public record StepDetails(
    @Nullable Double lat,
    @Nullable Double lon,
    @Nullable String riderId,
    @Nullable String agencyId,
    @Nullable String reason,
    @Nullable DeliveryProof proof,
    @Nullable String source) {
  /** No details. */
  public static final StepDetails NONE = new StepDetails(null, null, null, null, null, null, null);

  /** These details with another rider and agency. */
  StepDetails about(@Nullable String rider, @Nullable String agency) {
    return new StepDetails(lat, lon, rider, agency, reason, proof, source);
  }
}
