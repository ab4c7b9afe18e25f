package gilmok.lab.torture;

import gilmok.lab.ProcessorClock;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Measures how the processors are used, to tell a late response from one that was late for lack of
 * processor time. Used by one thread.
 */
final class Shares {
  private final long server;
  private final long beganAtNanos = System.nanoTime();
  private final long[] before;

  private Shares(long server) {
    this.server = server;
    this.before = now(server);
  }

  /** Begins measuring. */
  static Shares begin(long server) {
    return new Shares(server);
  }

  /** Ends measuring; returns the result in words. */
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

  /**
   * The processor time of the server, of this process and of the whole machine; 0 for a process
   * that has ended.
   */
  private static long[] now(long server) {
    long used = 0;
    try {
      used = server == 0 ? 0 : new ProcessorClock(server).nanos();
    } catch (UncheckedIOException ended) {
      // Without a clock the process counts as unused.
    }
    return new long[] {used, ProcessorClock.own().nanos(), ProcessorClock.machineNanos()};
  }
}
