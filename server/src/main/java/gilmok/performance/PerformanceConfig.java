package gilmok.performance;

import gilmok.config.Settings;
import java.time.Duration;
import java.time.ZoneId;

/**
 * How performance is measured. Immutable.
 *
 * @param zone of the days
 * @param arrivalMetres so near a stop a rider has arrived
 * @param gap positions further apart in time say nothing of what was between
 * @param metresPerSecondMax two positions that would need a higher speed are no way
 * @param late so long after a day's end positions of it may arrive
 * @param deliveriesMax most deliveries of one day that are looked at
 */
public record PerformanceConfig(
    ZoneId zone,
    int arrivalMetres,
    Duration gap,
    int metresPerSecondMax,
    Duration late,
    int deliveriesMax) {
  /** Reads the keys {@code performance.*} and {@code fleet.zone}. */
  public static PerformanceConfig from(Settings settings) {
    return new PerformanceConfig(
        settings.zone("fleet.zone", "Asia/Seoul"),
        settings.number("performance.arrival-metres", 100, 10, 2_000),
        settings.duration("performance.gap", "5 min", Duration.ofSeconds(10), Duration.ofHours(2)),
        settings.number("performance.metres-per-second-max", 50, 5, 400),
        settings.duration("performance.late", "6 h", Duration.ZERO, Duration.ofDays(3_650)),
        settings.number("performance.deliveries-max", 200_000, 100, 2_000_000));
  }
}
