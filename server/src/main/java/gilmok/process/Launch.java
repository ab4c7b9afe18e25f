package gilmok.process;

import gilmok.app.ServerConfig;
import gilmok.config.Settings;
import gilmok.config.SettingsReader;
import gilmok.observe.Logging;
import gilmok.runtime.LoggingConfig;
import gilmok.runtime.Signals;
import java.io.IOException;

/**
 * What a server's life begins with.
 *
 * @param settings as they were read; asked for everything
 * @param config what they say
 * @param reader reads them again
 * @param logging the process's
 * @param signals by which the process is told to stop or to reload
 */
record Launch(
    Settings settings,
    ServerConfig config,
    SettingsReader reader,
    Logging logging,
    Signals signals) {

  /**
   * Reads the settings, and has the process's log be as they say.
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
