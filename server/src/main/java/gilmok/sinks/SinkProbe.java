package gilmok.sinks;

import org.jspecify.annotations.Nullable;

/**
 * Tells whether a sink's destination is there: by what became of its own batches, and by asking the
 * destination itself only until that has answered once. Not thread-safe; blocks.
 */
public final class SinkProbe {
  private final Shipper shipper;
  private boolean isThere;

  public SinkProbe(Shipper shipper) {
    this.shipper = shipper;
  }

  /** What is wrong, for people; null when nothing is. */
  public @Nullable String ask() throws InterruptedException {
    String fault = shipper.fault();
    if (fault == null && !isThere) {
      fault = shipper.probe();
    }
    isThere = fault == null;
    return fault;
  }
}
