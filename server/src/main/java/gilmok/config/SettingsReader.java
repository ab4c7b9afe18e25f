package gilmok.config;

import java.io.IOException;

/**
 * Reads a process's settings from their sources, at the start and at each reload. Blocks while it
 * reads files.
 */
@FunctionalInterface
public interface SettingsReader {
  /**
   * Reads the settings; no key of them has been looked up yet. The command line and the environment
   * are those of the start; files are read anew.
   *
   * @throws gilmok.config.InvalidSettings when the file of {@code --config} cannot be used
   */
  Settings read() throws IOException;
}
