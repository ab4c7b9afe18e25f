package gilmok.lab.load;

import gilmok.lab.ProcessorClock;
import org.jspecify.annotations.Nullable;

/** Processor time, and the wall-clock time in which it was used. */
public record Usage(long wallNanos, long ownNanos, long serverNanos, long machineNanos) {
  /** The values so far. */
  public static Usage now(@Nullable ProcessorClock server) {
    return new Usage(
        System.nanoTime(),
        ProcessorClock.own().nanos(),
        server == null ? 0 : server.nanos(),
        ProcessorClock.machineNanos());
  }

  /** The difference to earlier values. */
  public Usage since(Usage before) {
    return new Usage(
        wallNanos - before.wallNanos,
        ownNanos - before.ownNanos,
        serverNanos - before.serverNanos,
        machineNanos - before.machineNanos);
  }

  /** The processors used by the load. */
  public double ownCores() {
    return (double) ownNanos / wallNanos;
  }

  /** The processors used by the server. */
  public double serverCores() {
    return (double) serverNanos / wallNanos;
  }

  /** The processors used by everything else: shows how quiet the machine was. */
  public double otherCores() {
    return Math.max(0, (double) (machineNanos - ownNanos - serverNanos) / wallNanos);
  }
}
