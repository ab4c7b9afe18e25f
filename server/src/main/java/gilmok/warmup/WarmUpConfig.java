package gilmok.warmup;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * How the server warms up before it is ready.
 *
 * @param isOn whether it does at all
 * @param limit when it is ready in any case, and says that it was still getting faster
 * @param sharesEngines whether it writes to the MongoDB and the Redis that the fleet shares
 */
public record WarmUpConfig(boolean isOn, Duration limit, boolean sharesEngines) {
  /** Asks for the keys {@code warm-up.*}. */
  public static WarmUpConfig from(Settings settings) {
    return new WarmUpConfig(
        settings.flag("warm-up.on", true),
        settings.duration("warm-up.limit", "15 s", Duration.ofSeconds(1), Duration.ofMinutes(10)),
        settings.flag("warm-up.shared-engines", false));
  }
}
