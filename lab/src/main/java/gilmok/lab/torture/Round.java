package gilmok.lab.torture;

import java.time.Duration;

/**
 * One round as it was.
 *
 * @param number from 1
 * @param seed of everything in it
 * @param storm what befell the server
 * @param answeredAfter until all was answered again
 * @param answeredLast what was answered last
 * @param requests how many there were
 * @param records in the log at its end
 * @param findings how many
 */
record Round(
    int number,
    long seed,
    String storm,
    Duration answeredAfter,
    String answeredLast,
    long requests,
    long records,
    long findings) {
  @Override
  public String toString() {
    return String.format(
        "round %d (seed %d): %s; all answered again after %.1f s (%s last); %,d requests, %,d"
            + " records in the log; %s",
        number,
        seed,
        storm,
        answeredAfter.toMillis() / 1e3,
        answeredLast,
        requests,
        records,
        findings == 0 ? "well" : findings + " FINDINGS");
  }
}
