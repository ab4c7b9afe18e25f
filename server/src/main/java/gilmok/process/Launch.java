package gilmok.process;

import gilmok.app.ServerConfig;
import gilmok.config.Settings;
import gilmok.config.SettingsReader;
import gilmok.observe.Logging;
import gilmok.runtime.LoggingConfig;
import gilmok.runtime.Signals;
import java.io.IOException;

/**
 * The parts that exist before a server starts.
 *
 * @param settings as they were read, by every part
 * @param config the parsed settings
 * @param reader reads the settings again
 * @param logging the logging of the process
 * @param signals the signals that stop the process or reload its settings
 */
record Launch(
    Settings settings,
    ServerConfig config,
    SettingsReader reader,
    Logging logging,
    Signals signals) {

  /**
   * Reads the settings and configures the logging accordingly.
   *
   * @throws gilmok.config.InvalidSettings naming everything that is wrong
   */
  static Launch of(SettingsReader reader, Logging logging, Signals signals) throws IOException {
    Settings settings = reader.read();
    ServerConfig config = ServerConfig.from(settings);
    config.of(LoggingConfig.class).applyTo(logging);
    return new Launch(settings, config, reader, logging, signals);
  }
}
