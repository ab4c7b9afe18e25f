package gilmok.accept;

import gilmok.sinks.Verdict;
import java.io.IOException;

/** A sink's verdict as a finding. No state. */
final class SinkAnswer {
  private SinkAnswer() {}

  /** Fails unless all records were kept. */
  static void requireDone(Verdict verdict) throws IOException {
    String told = told(verdict);
    Findings.require(told.isEmpty(), told);
  }

  /** What became of records that were not kept; empty when all were. */
  static String told(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Done _ -> "";
      case Verdict.Held _ -> "held, and not kept yet";
      case Verdict.Retry retry -> retry.cause() + ": " + retry.detail();
      case Verdict.RetryThese some ->
          "%d of them not taken, %s: %s"
              .formatted(some.again().cardinality(), some.cause(), some.detail());
      case Verdict.RejectThese some -> "rejected: " + some.reason();
      case Verdict.Refused refused -> "refused: " + refused.reason();
    };
  }
}
