package gilmok.lab.torture;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One round as it was.
 *
 * @param number from 1
 * @param seed of everything in it
 * @param storm what befell the server
 * @param answeredAfter until all was answered again
 * @param answeredLast what was answered last
 * @param shares who used the processors until then
 * @param requests how many there were
 * @param records in the log at its end
 * @param untaken the faults that have done nothing, and why: with one, it does not count
 * @param findings how many
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

  /** Whether it was what was asked for. What it found is a finding all the same. */
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
