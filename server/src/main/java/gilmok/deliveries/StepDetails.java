package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * What may be said of a step beside what it is, who takes it and when.
 *
 * @param lat where, degrees; null when not said, as lon
 * @param riderId the rider it is about; null when about none
 * @param agencyId the agency that accepts; null otherwise, and there too when not said
 * @param reason null when not said
 * @param source the record id ({@code node:sequence}) of the rider's action; null for a request
 */
public record StepDetails(
    @Nullable Double lat,
    @Nullable Double lon,
    @Nullable String riderId,
    @Nullable String agencyId,
    @Nullable String reason,
    @Nullable DeliveryProof proof,
    @Nullable String source) {
  /** Nothing of that. */
  public static final StepDetails NONE = new StepDetails(null, null, null, null, null, null, null);

  /** The same about another rider and agency. */
  StepDetails about(@Nullable String rider, @Nullable String agency) {
    return new StepDetails(lat, lon, rider, agency, reason, proof, source);
  }
}
