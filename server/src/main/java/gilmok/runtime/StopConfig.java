package gilmok.runtime;

import gilmok.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The keys {@code stop.*}: how a server goes.
 *
 * @param grace how long it says that it is not ready, and serves all the same
 * @param patience how long requests under way, and then the parts, may take to end
 * @param flush how long the sinks may take after that to get what they have not had
 * @param required the sinks without which the node is not called drained; none named: all
 * @param isJudged whether the node is called drained or not at the end
 */
public record StopConfig(
    Duration grace, Duration patience, Duration flush, Set<String> required, boolean isJudged) {

  /**
   * Asks for the keys.
   *
   * @param sinks that are there; another one that is required is a problem
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

  /** Those of a server that nobody waits for. */
  public static StopConfig hasty() {
    return new StopConfig(Duration.ZERO, Duration.ofSeconds(2), Duration.ZERO, Set.of(), false);
  }

  /** Whether the node is not drained as long as this sink lacks something. */
  public boolean requires(String sink) {
    return required.isEmpty() || required.contains(sink);
  }
}
