package gilmok.lab.missions;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * What is asked, and how fast.
 *
 * @param ports of loopback: the servers, among which connections are shared out
 * @param requests whole HTTP requests, sent one after the other and again from the first
 * @param isWanted statuses that are no error
 * @param isPacked whether a body must come in a coding
 * @param rate requests a second over all connections; 0: as fast as they are answered
 * @param count stops when so many were answered; 0: runs for its time
 * @param warmup seconds before what is measured
 * @param seconds measured
 */
record Load(
    List<Integer> ports,
    List<byte[]> requests,
    IntPredicate isWanted,
    boolean isPacked,
    int connections,
    double rate,
    long count,
    double warmup,
    double seconds) {

  /** A cumulative count that is read when the measured part begins and ends; quickly. */
  @FunctionalInterface
  interface Watch {
    /** The count so far. */
    double read() throws InterruptedException;
  }

  /**
   * What came of it. Milliseconds; in an open loop from when a request was due.
   *
   * @param answers in the measured part
   * @param bodyBytes of the last answer
   * @param errors in all of the run, by kind
   * @param wall seconds that the measured part took
   * @param cores of the load's own process
   * @param watched by how much each watched count grew meanwhile
   */
  record Result(
      double perSecond,
      double p50,
      double p99,
      double max,
      long answers,
      long bodyBytes,
      Map<String, Long> errors,
      double wall,
      double cores,
      List<Double> watched) {

    Result {
      errors = new LinkedHashMap<>(errors);
    }

    long errorCount() {
      return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "%,.0f/s  p50 %.2f  p99 %.2f  max %.1f ms  load %.2f cores%s",
          perSecond,
          p50,
          p99,
          max,
          cores,
          errors.isEmpty() ? "" : "  ERRORS " + errors);
    }
  }

  /** The same for so long, at another rate. */
  Load at(double otherRate, double otherWarmup, double otherSeconds) {
    return new Load(
        ports, requests, isWanted, isPacked, connections, otherRate, 0, otherWarmup, otherSeconds);
  }
}
