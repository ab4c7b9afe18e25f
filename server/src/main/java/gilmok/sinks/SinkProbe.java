package gilmok.sinks;

import org.jspecify.annotations.Nullable;

/**
 * Checks whether a sink's destination is there: by the results of the sink's own batches, and, only
 * until the destination has answered once, by a call to it. Not thread-safe; blocks.
 */
public final class SinkProbe {
  private final Shipper shipper;
  private boolean isThere;

  public SinkProbe(Shipper shipper) {
    this.shipper = shipper;
  }

  /** The problem, for the operator; null when there is none. */
  public @Nullable String ask() throws InterruptedException {
    String fault = shipper.fault();
    if (fault == null && !isThere) {
      fault = shipper.probe();
    }
    isThere = fault == null;
    return fault;
  }
}
