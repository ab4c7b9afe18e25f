package gilmok.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads YAML files that an operator writes. Blocks while it reads. */
public final class YamlFile {
  private YamlFile() {}

  /**
   * Reads a file of keys and values; an empty one has none.
   *
   * @param name what the file is called where it is at fault
   * @throws InvalidSettings when it cannot be read, is no YAML, or holds something else
   */
  public static Map<?, ?> read(Path file, String name) {
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
      return switch (tree) {
        case null -> Map.of();
        case Map<?, ?> map -> map;
        default -> throw wrong(name + " holds no settings (key: value)");
      };
    } catch (StackOverflowError deep) {
      throw wrong(name + " is nested too deep");
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
