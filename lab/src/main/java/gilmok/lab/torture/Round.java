package gilmok.lab.torture;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The report of one round.
 *
 * @param number from 1
 * @param seed the seed of all its random choices
 * @param storm the faults
 * @param answeredAfter how long it took until all probes succeeded
 * @param answeredLast the probe that succeeded last
 * @param shares the use of the processors until then
 * @param requests the number of requests
 * @param records the number of records in the log at its end
 * @param untaken the faults without an effect, and why; if there are any, the round does not count
 * @param findings the number of findings
 */
record Round(
    int number,
    long seed,
    String storm,
    Duration answeredAfter,
    String answeredLast,
    String shares,
    long requests,
    long records,
    List<String> untaken,
    long findings) {
  Round {
    untaken = List.copyOf(untaken);
  }

  /** Whether it counts: all its faults had an effect. Its findings count in any case. */
  boolean counts() {
    return untaken.isEmpty();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "round %d (seed %d): %s; all answered again after %.1f s (%s last; %s); %,d requests, %,d"
            + " records in the log; %s%s",
        number,
        seed,
        storm,
        answeredAfter.toMillis() / 1e3,
        answeredLast,
        shares,
        requests,
        records,
        findings == 0 ? "well" : findings + " FINDINGS",
        counts() ? "" : "; DOES NOT COUNT: " + String.join("; ", untaken));
  }
}
