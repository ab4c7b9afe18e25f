package gilmok.lab.fleet;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** What became of the fixes that were sent. Written by the sender's thread, read by any. */
final class FixCounts {
  final LongAdder requests = new LongAdder();
  final LongAdder accepted = new LongAdder();
  final LongAdder duplicates = new LongAdder();

  /** Set aside by the server, or refused in a way that trying again does not mend. */
  final LongAdder refused = new LongAdder();

  /** Of the accepted: taken while there was no signal. */
  final LongAdder late = new LongAdder();

  /** Requests that were answered 429 or 503, or not at all, and are tried again. */
  final LongAdder retries = new LongAdder();

  /** Fixes that the server took charge of, whatever it did with them. */
  long settled() {
    return accepted.sum() + duplicates.sum() + refused.sum();
  }

  /**
   * One line for a progress display.
   *
   * @param perSecond positions a second at present
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
