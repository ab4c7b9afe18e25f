package gilmok.cli;

import gilmok.config.InvalidSettings;
import gilmok.config.SettingsSources;
import gilmok.config.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options with the settings, for a command that runs parts of the server. Not thread-safe. */
public final class SettingsOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data folder (the setting data; default: ./data).")
  private @Nullable String data;

  @Option(names = "--config", paramLabel = "FILE", description = "A YAML file with settings.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting. It can be repeated.")
  private List<String> settings = new ArrayList<>();

  /** The sources: the file, overridden by the environment, overridden by these options. */
  public SettingsSources sources() {
    SettingsSources sources = new SettingsSources();
    if (config != null) {
      sources.file(YamlFile.read(config, "--config " + config));
    }
    sources.environment(System.getenv());
    settings.forEach(sources::option);
    lay(sources, "data", data);
    return sources;
  }

  /**
   * The settings of a file alone.
   *
   * @throws InvalidSettings when it cannot be read, or is no YAML
   */
  public static SettingsSources ofFile(Path file) {
    return new SettingsSources().file(YamlFile.read(file, file.toString()));
  }

  /** Adds a setting from an option of the command, if the option was given. */
  public static void lay(SettingsSources sources, String key, @Nullable String value) {
    if (value != null) {
      sources.option(key, value);
    }
  }
}
