package gilmok.runtime;

import gilmok.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The keys {@code stop.*}: how a server stops.
 *
 * @param grace how long it reports that it is not ready, but still serves
 * @param patience how long requests in flight, and then the parts, may take to end
 * @param flush how long the sinks may take after that to ship what they have not shipped
 * @param required the sinks without which the node does not count as drained; none named: all
 * @param isJudged whether the node reports at the end if it is drained
 */
public record StopConfig(
    Duration grace, Duration patience, Duration flush, Set<String> required, boolean isJudged) {

  /**
   * Reads the keys.
   *
   * @param sinks the sinks that exist; a required one that is not among them is a problem
   */
  public static StopConfig from(Settings settings, List<String> sinks) {
    StopConfig read =
        new StopConfig(
            settings.duration("stop.grace", "0 s", Duration.ZERO, Duration.ofMinutes(10)),
            settings.duration(
                "stop.patience", "25 s", Duration.ofMillis(1), Duration.ofMinutes(10)),
            settings.duration("stop.flush", "5 s", Duration.ZERO, Duration.ofDays(1)),
            Set.copyOf(settings.words("stop.required-sinks")),
            true);
    for (String name : read.required) {
      if (!sinks.contains(name)) {
        settings.problem("stop.required-sinks: sinks.enabled names no sink " + name);
      }
    }
    return read;
  }

  /** The settings for a server that nobody waits for. */
  public static StopConfig hasty() {
    return new StopConfig(Duration.ZERO, Duration.ofSeconds(2), Duration.ZERO, Set.of(), false);
  }

  /** Whether the node is not drained while this sink has records to ship. */
  public boolean requires(String sink) {
    return required.isEmpty() || required.contains(sink);
  }
}
