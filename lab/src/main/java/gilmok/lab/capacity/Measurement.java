package gilmok.lab.capacity;

import gilmok.lab.load.LoadReport;
import java.util.List;

/**
 * The report of one run of the load generator.
 *
 * @param subject the name of the server
 */
record Measurement(String subject, LoadReport report) {
  double requestsPerSecond() {
    return report.requestsPerSecond();
  }

  double p99() {
    return report.p99();
  }

  boolean valid() {
    return report.valid();
  }

  /** The run with the median rate. */
  static Measurement median(List<Measurement> rounds) {
    return Figures.middle(rounds, Measurement::requestsPerSecond);
  }
}
