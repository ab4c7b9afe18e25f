package gilmok.jobs;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * The bounds of jobs. Immutable.
 *
 * @param waitingMax most jobs that are not done; more are refused
 * @param keep how long a job that is done can be read
 * @param bytesMax most bytes of one job's results
 */
public record JobsConfig(int waitingMax, Duration keep, long bytesMax) {
  /** Reads the keys {@code jobs.*}. */
  public static JobsConfig from(Settings settings) {
    return new JobsConfig(
        settings.number("jobs.waiting-max", 16, 1, 1_000),
        settings.duration("jobs.keep", "1 d", Duration.ofMinutes(1), Duration.ofDays(30)),
        settings.bytes("jobs.bytes-max", "16 MiB", 1 << 20, 1 << 30));
  }
}
