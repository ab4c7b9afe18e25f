package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/** A step of a delivery with its details, requested or done. */
interface DetailedStep {
  /** What is done. */
  Step step();

  /** The details of the step. */
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
