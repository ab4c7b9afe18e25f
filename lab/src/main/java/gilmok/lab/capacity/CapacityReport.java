package gilmok.lab.capacity;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * All that one search has found, as it is written as JSON. Rates are a second, in the scenario's
 * unit; latencies in milliseconds from when each request was due. Immutable.
 *
 * @param environment what was measured, where and with what
 * @param limit the highest rate, and what ends it
 * @param steps all loads in their order
 * @param hold the safe rate, held for a time
 * @param overloads beyond the limit
 * @param account what was acknowledged, and what is stored
 * @param peers the same search for other servers
 * @param series all resources over time
 */
record CapacityReport(
    Environment environment,
    Limit limit,
    List<LoadStep> steps,
    Hold hold,
    List<Overload> overloads,
    Account account,
    List<Peer> peers,
    SequencedMap<String, List<Double>> series) {

  /**
   * What was measured.
   *
   * @param scenario its name
   * @param unit what its rates count
   * @param data the data and the arrivals, in words
   * @param goals what had to be kept
   * @param facts machine, kernel, Java, versions, command line, by name
   */
  record Environment(
      String scenario, String unit, String data, StepGoals goals, Map<String, String> facts) {}

  /**
   * The limit.
   *
   * @param units the highest rate that held; 0 if none did
   * @param above the lowest that did not
   * @param safe the rate that is proposed
   * @param repeats the steps at the highest rate
   * @param cause the resource that ends it, and its evidence first; then the others
   * @param voidness why the figure says nothing about the server; empty if it does
   */
  record Limit(
      double units,
      double above,
      double safe,
      List<LoadStep> repeats,
      List<Suspects.Suspect> cause,
      String voidness) {
    /** The least and the most of a figure among the repeats. */
    Range range(java.util.function.ToDoubleFunction<LoadStep> of) {
      return Range.of(repeats.stream().mapToDouble(of).toArray());
    }
  }

  /** Several measurements of one quantity. */
  record Range(double least, double median, double most) {
    static Range of(double[] values) {
      double[] sorted = values.clone();
      java.util.Arrays.sort(sorted);
      return sorted.length == 0
          ? new Range(0, 0, 0)
          : new Range(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
    }

    /** How far apart they are, as a part of the median. */
    double share() {
      return median == 0 ? 0 : (most - least) / median;
    }
  }

  /**
   * A rate that was held.
   *
   * @param step the whole of it
   * @param minutes how long
   * @param first the first fifth: rate, p99, heap after a collection in MB, resident MB
   * @param last the last fifth
   * @param heapSlope how much the heap after a collection grew, in MB a minute
   * @param moved what got worse by more than a tenth, in words; empty if it held
   */
  record Hold(
      LoadStep step,
      double minutes,
      Map<String, Double> first,
      Map<String, Double> last,
      double heapSlope,
      List<String> moved) {}

  /**
   * A load beyond the limit.
   *
   * @param factor of the highest rate
   * @param step what came of it
   * @param goodput the accepted part of the highest rate, 0 to 1
   * @param health how {@code /health/live} was answered meanwhile
   * @param recoverySeconds from the end until a second kept the p99 at half of the limit; negative
   *     if none did
   */
  record Overload(
      double factor,
      LoadStep step,
      double goodput,
      HealthWatch.Health health,
      double recoverySeconds) {}

  /**
   * What was acknowledged, and what is stored.
   *
   * @param acknowledged records that the load was told are stored
   * @param stored records that the server counted as durable meanwhile
   * @param unanswered requests that were sent and not answered, whose records may be stored
   * @param residue of the server's own ledger
   */
  record Account(long acknowledged, long stored, long unanswered, long residue) {
    /** What was acknowledged and is not stored; must be 0. */
    long missing() {
      return Math.max(0, acknowledged - stored);
    }
  }

  /** Another server's limit. */
  record Peer(String name, double units, List<LoadStep> repeats) {}

  /** Whether the figure counts, and everything that had to be kept was. */
  boolean isGood() {
    return limit.units > 0
        && limit.voidness.isEmpty()
        && account.missing() == 0
        && account.residue == 0
        && hold.moved.isEmpty()
        && hold.step.holds();
  }

  /** The same report with other servers' limits. */
  CapacityReport beside(List<Peer> others) {
    return new CapacityReport(environment, limit, steps, hold, overloads, account, others, series);
  }

  String json() {
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(this);
  }

  /** Reads what {@link #json} wrote. */
  static CapacityReport read(String json) {
    return JsonMapper.shared().readValue(json, CapacityReport.class);
  }
}
