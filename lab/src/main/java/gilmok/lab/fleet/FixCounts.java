package gilmok.lab.fleet;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Counts the results of the fixes sent. Written by the sender's thread, read by any. */
final class FixCounts {
  final LongAdder requests = new LongAdder();
  final LongAdder accepted = new LongAdder();
  final LongAdder duplicates = new LongAdder();

  /** Fixes that the server quarantined or refused for good. */
  final LongAdder refused = new LongAdder();

  /** Accepted fixes that were taken without a network. */
  final LongAdder late = new LongAdder();

  /** Requests answered 429 or 503, or not at all, which are sent again. */
  final LongAdder retries = new LongAdder();

  /** Fixes that need not be sent again, whether accepted or refused. */
  long settled() {
    return accepted.sum() + duplicates.sum() + refused.sum();
  }

  /**
   * A line for a progress display.
   *
   * @param perSecond the present rate of positions a second
   */
  String line(int riders, double perSecond) {
    StringBuilder line = new StringBuilder(100);
    line.append(
        String.format(
            Locale.ROOT,
            "%,d riders · %,.0f positions/s · accepted %,d · late %,d · duplicates %,d",
            riders,
            perSecond,
            accepted.sum(),
            late.sum(),
            duplicates.sum()));
    if (refused.sum() > 0) {
      line.append(String.format(Locale.ROOT, " · refused %,d", refused.sum()));
    }
    if (retries.sum() > 0) {
      line.append(String.format(Locale.ROOT, " · repeated %,d", retries.sum()));
    }
    return line.toString();
  }
}
