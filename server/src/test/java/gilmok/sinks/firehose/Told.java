package gilmok.sinks.firehose;

import gilmok.config.Settings;
import java.util.HashMap;
import java.util.Map;

/** Builds a sink's configuration for tests. */
final class Told {
  private Told() {}

  /**
   * A configuration from keys and values in turn, keys without {@code sinks.firehose.}; the stream
   * is set already.
   */
  static FirehoseConfig config(String... keysAndValues) {
    Map<String, String> given = new HashMap<>(Map.of("sinks.firehose.stream", "traces"));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      given.put("sinks.firehose." + keysAndValues[i], keysAndValues[i + 1]);
    }
    Settings settings = new Settings(given);
    FirehoseConfig config = FirehoseConfig.from(settings, "firehose");
    settings.finish();
    return config;
  }
}
