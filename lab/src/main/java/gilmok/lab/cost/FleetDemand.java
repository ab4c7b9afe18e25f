package gilmok.lab.cost;

import java.time.Duration;

/**
 * What a fleet sends. Immutable.
 *
 * @param riders who are on duty at the same time
 * @param every how often each has a position
 * @param hours a day, for which all of them are on duty
 * @param days a month
 * @param batch positions a request
 */
record FleetDemand(int riders, Duration every, double hours, double days, int batch) {
  private static final double SECONDS_AN_HOUR = 3600;

  double positionsPerSecond() {
    return riders / (every.toNanos() / 1e9);
  }

  double requestsPerSecond() {
    return positionsPerSecond() / batch;
  }

  double positionsPerDay() {
    return positionsPerSecond() * hours * SECONDS_AN_HOUR;
  }

  double positionsPerMonth() {
    return positionsPerDay() * days;
  }

  double requestsPerMonth() {
    return positionsPerMonth() / batch;
  }

  double busyHoursPerMonth() {
    return hours * days;
  }
}
