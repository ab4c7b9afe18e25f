package gilmok.lab.torture;

import gilmok.lab.ProcessorClock;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Who used the processors for a while: so that a late answer can be told from one that was not
 * computed for want of them. Of one thread.
 */
final class Shares {
  private final long server;
  private final long beganAtNanos = System.nanoTime();
  private final long[] before;

  private Shares(long server) {
    this.server = server;
    this.before = now(server);
  }

  /** From now on. */
  static Shares begin(long server) {
    return new Shares(server);
  }

  /** Until now, in words. */
  String end() {
    long[] now = now(server);
    double nanos = Math.max(1, System.nanoTime() - beganAtNanos);
    double ours = (now[0] - before[0]) / nanos;
    double rig = (now[1] - before[1]) / nanos;
    double all = (now[2] - before[2]) / nanos;
    return String.format(
        Locale.ROOT,
        "processors until then: %s the server, %.2f the rig, %.2f others, of %d",
        now[0] < before[0] ? "-" : String.format(Locale.ROOT, "%.2f", ours),
        rig,
        Math.max(0, all - rig - Math.max(0, ours)),
        Runtime.getRuntime().availableProcessors());
  }

  /** What the server, this process and all of the machine have used; 0 for one that is no more. */
  private static long[] now(long server) {
    long used = 0;
    try {
      used = server == 0 ? 0 : new ProcessorClock(server).nanos();
    } catch (UncheckedIOException ended) {
      // It has used nothing that could be told.
    }
    return new long[] {used, ProcessorClock.own().nanos(), ProcessorClock.machineNanos()};
  }
}
