package gilmok.deliveries;

import gilmok.trace.TraceContext;
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
 * @param trace the trace that it is part of, as the header {@code traceparent}; null where nobody
 *     keeps it
 */
public record StepDetails(
    @Nullable Double lat,
    @Nullable Double lon,
    @Nullable String riderId,
    @Nullable String agencyId,
    @Nullable String reason,
    @Nullable DeliveryProof proof,
    @Nullable String source,
    @Nullable String trace) {
  /** No details. */
  public static final StepDetails NONE = new StepDetails(null, null, null, null, null, null, null);

  /** Those of a step that is part of no trace. */
  public StepDetails(
      @Nullable Double lat,
      @Nullable Double lon,
      @Nullable String riderId,
      @Nullable String agencyId,
      @Nullable String reason,
      @Nullable DeliveryProof proof,
      @Nullable String source) {
    this(lat, lon, riderId, agencyId, reason, proof, source, null);
  }

  /** These details with another rider and agency. */
  StepDetails about(@Nullable String rider, @Nullable String agency) {
    return new StepDetails(lat, lon, rider, agency, reason, proof, source, trace);
  }

  /** These details with another source of their event. */
  StepDetails sourced(String other) {
    return new StepDetails(lat, lon, riderId, agencyId, reason, proof, other, trace);
  }

  /** These details as part of that trace; the same for none. */
  StepDetails traced(@Nullable TraceContext of) {
    return of == null
        ? this
        : new StepDetails(lat, lon, riderId, agencyId, reason, proof, source, of.header());
  }
}
