package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/** A step of a delivery that is wanted or has happened, with its details. */
interface DetailedStep {
  /** What else is said of it. */
  StepDetails details();

  /** See {@link StepDetails}. */
  default @Nullable String riderId() {
    return details().riderId();
  }

  /** See {@link StepDetails}. */
  default @Nullable String agencyId() {
    return details().agencyId();
  }

  /** See {@link StepDetails}. */
  default @Nullable String reason() {
    return details().reason();
  }

  /** See {@link StepDetails}. */
  default @Nullable DeliveryProof proof() {
    return details().proof();
  }

  /** See {@link StepDetails}. */
  default @Nullable String source() {
    return details().source();
  }
}
