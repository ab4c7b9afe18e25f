package gilmok.cli;

import gilmok.config.InvalidSettings;
import gilmok.config.SettingsSources;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
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
      read(config, "--config " + config, sources);
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
    SettingsSources sources = new SettingsSources();
    read(file, file.toString(), sources);
    return sources;
  }

  /** Adds a setting from an option of the command, if the option was given. */
  public static void lay(SettingsSources sources, String key, @Nullable String value) {
    if (value != null) {
      sources.option(key, value);
    }
  }

  /** Reads a file, which is called {@code name} where it is at fault. */
  private static void read(Path file, String name, SettingsSources sources) {
    if (!Files.isReadable(file)) {
      throw wrong(
          name
              + " cannot be read: "
              + (Files.exists(file) ? "this user may not" : "there is no such file"));
    }
    String text = text(file, name);
    try {
      Object tree =
          new Load(LoadSettings.builder().setLabel(file.toString()).build()).loadFromString(text);
      if (tree instanceof Map<?, ?> map) {
        sources.file(map);
      } else if (tree != null) {
        throw wrong(name + " holds no settings (key: value)");
      }
    } catch (YamlEngineException malformed) {
      throw wrong(name + " is no YAML" + where(malformed, text));
    }
  }

  private static String text(Path file, String name) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw wrong(name + " cannot be read" + why(file, unreadable));
    }
  }

  /** Where the error is, and which; quotes nothing of the text, as it can be a secret. */
  private static String where(YamlEngineException malformed, String text) {
    if (!(malformed instanceof MarkedYamlEngineException marked)
        || marked.getProblemMark().isEmpty()) {
      return "";
    }
    Mark mark = marked.getProblemMark().get();
    List<String> said = new ArrayList<>();
    for (String word : marked.getProblem().split(" ")) {
      said.add(word.length() > 2 && text.contains(word) ? "…" : word);
    }
    return ", line %d, column %d: %s"
        .formatted(mark.getLine() + 1, mark.getColumn() + 1, String.join(" ", said));
  }

  private static String why(Path file, IOException unreadable) {
    return Files.isDirectory(file)
        ? ": it is a folder"
        : unreadable instanceof CharacterCodingException
            ? ": it is not UTF-8"
            : ": " + unreadable.getMessage();
  }

  private static InvalidSettings wrong(String problem) {
    return new InvalidSettings(List.of(problem));
  }
}
