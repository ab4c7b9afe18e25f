package gilmok.lab.load;

import gilmok.lab.ProcessorClock;
import org.jspecify.annotations.Nullable;

/** Processor time used, and the time on the clock it was used in. */
public record Usage(long wallNanos, long ownNanos, long serverNanos, long machineNanos) {
  /** So far. */
  public static Usage now(@Nullable ProcessorClock server) {
    return new Usage(
        System.nanoTime(),
        ProcessorClock.own().nanos(),
        server == null ? 0 : server.nanos(),
        ProcessorClock.machineNanos());
  }

  /** Since then. */
  public Usage since(Usage before) {
    return new Usage(
        wallNanos - before.wallNanos,
        ownNanos - before.ownNanos,
        serverNanos - before.serverNanos,
        machineNanos - before.machineNanos);
  }

  /** Processors that the load took. */
  public double ownCores() {
    return (double) ownNanos / wallNanos;
  }

  /** Processors that the server took. */
  public double serverCores() {
    return (double) serverNanos / wallNanos;
  }

  /** Processors that neither the load nor the server took: how quiet the machine was. */
  public double otherCores() {
    return Math.max(0, (double) (machineNanos - ownNanos - serverNanos) / wallNanos);
  }
}
