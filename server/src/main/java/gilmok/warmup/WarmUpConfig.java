package gilmok.warmup;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * Settings of the warm-up that runs before the server is ready. Immutable.
 *
 * @param isOn whether there is a warm-up
 * @param limit when the server becomes ready in any case, and reports that it was still getting
 *     faster
 * @param sharesEngines whether the warm-up writes to the MongoDB and the Redis that the fleet
 *     shares
 */
public record WarmUpConfig(boolean isOn, Duration limit, boolean sharesEngines) {
  /** Reads the keys {@code warm-up.*}. */
  public static WarmUpConfig from(Settings settings) {
    return new WarmUpConfig(
        settings.flag("warm-up.on", true),
        settings.duration("warm-up.limit", "15 s", Duration.ofSeconds(1), Duration.ofMinutes(10)),
        settings.flag("warm-up.shared-engines", false));
  }
}
