package gilmok.lab.capacity;

import gilmok.lab.load.LoadReport;
import java.util.List;

/**
 * One run of the load generator, as it reported it.
 *
 * @param subject the server's name
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

  /** The run in the middle by requests a second. */
  static Measurement median(List<Measurement> rounds) {
    return Figures.middle(rounds, Measurement::requestsPerSecond);
  }
}
