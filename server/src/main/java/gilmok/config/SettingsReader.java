package gilmok.config;

import java.io.IOException;

/** Reads a process's settings from where they were told to be, at the start and at each reload. */
@FunctionalInterface
public interface SettingsReader {
  /**
   * Settings that nobody has asked anything of yet. The command line and the environment are as at
   * the start; files are as they are now.
   *
   * @throws gilmok.config.InvalidSettings when the file of {@code --config} cannot be used
   */
  Settings read() throws IOException;
}
