package gilmok.lab.capacity;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One load at one rate, and what came of it. Immutable.
 *
 * @param what why it was made: search, repeat, hold, overload, recovery
 * @param rates how much was asked and answered
 * @param latencyMillis percentiles from when each request was due, by name, of good answers
 * @param errors what was not answered as it should be, by kind
 * @param load how the load itself did
 * @param cores who used the processors
 * @param flows the same by kind of request
 * @param missed the goals that were missed, in words
 * @param voidness why it says nothing about the server; empty if it does
 */
record LoadStep(
    String what,
    Rates rates,
    Map<String, Double> latencyMillis,
    Map<String, Long> errors,
    Load load,
    Cores cores,
    List<Flow> flows,
    List<String> missed,
    String voidness) {

  /**
   * Rates of the measured part, a second.
   *
   * @param offered exchanges that were due
   * @param achieved exchanges that were answered well
   * @param refused expected refusals
   * @param units what the answered ones count for, as positions
   * @param errorShare the share of the exchanges that failed, 0 to 1
   * @param seconds how long
   */
  record Rates(
      double offered,
      double achieved,
      double refused,
      double units,
      double errorShare,
      double seconds) {}

  /**
   * How the load did.
   *
   * @param lateShare the share of requests that left late, 0 to 1
   * @param lateP99Millis how late the latest hundredth left
   * @param neverSent requests that were due and never sent
   * @param duplicates new records that the server took for repeats
   * @param acknowledged records that the server acknowledged, in the whole step
   */
  record Load(
      double lateShare, double lateP99Millis, long neverSent, long duplicates, long acknowledged) {}

  /** Processors used by the server, the load and everybody else. */
  record Cores(double server, double load, double others) {}

  /** One kind of request. */
  record Flow(
      String name,
      String priority,
      double offered,
      double achieved,
      double refused,
      double p99Millis) {}

  /** Whether the server kept all goals in it. */
  boolean holds() {
    return missed.isEmpty() && voidness.isEmpty();
  }

  double p99() {
    return latencyMillis.getOrDefault("p99", 0.0);
  }

  /** The server's processor time for a million units, in seconds. */
  double secondsPerMillion() {
    return rates.units > 0 ? 1e6 * cores.server / rates.units : 0;
  }

  /** In a line, for progress. */
  String line(String unit) {
    String end = holds() ? "holds" : voidness.isEmpty() ? String.join("; ", missed) : voidness;
    return String.format(
        Locale.ROOT,
        "%-9s %,11.0f %s/s  p50 %6.2f  p99 %7.2f  p99.9 %7.2f ms  server %.2f  load %.2f  others"
            + " %.2f  %s",
        what,
        rates.units,
        unit,
        latencyMillis.getOrDefault("p50", 0.0),
        p99(),
        latencyMillis.getOrDefault("p99.9", 0.0),
        cores.server,
        cores.load,
        cores.others,
        end);
  }
}
