package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds docs/settings.md against the program. */
final class SettingsPageTest {
  private static final Pattern LINE =
      Pattern.compile("\\| `([\\w.-]+)` \\| ([^|]*) \\| ([^|]*) \\| [^|]+ \\|[^|]*\\|");
  private static final Pattern OUTSIDE = Pattern.compile(".* is not between (.*) and (.*)");
  private static final Pattern NO_CHOICE = Pattern.compile(".* is none of (.*)");

  /** Further than any range goes, for each kind of value, and no choice anywhere. */
  private static final List<String> TOO_MUCH =
      List.of("500000 TiB", "5000 d", "999999999999", "no-such-choice");

  @Test
  void page_hasEveryKeyWithItsDefault() throws IOException {
    Settings settings = new Settings(Map.of());
    ServerConfig.from(settings);
    Map<String, String> defaults = new TreeMap<>();
    settings
        .effective()
        .forEach((key, value) -> defaults.put(key, value.isEmpty() ? "none" : "`" + value + "`"));
    Map<String, String> written = new TreeMap<>();
    for (Matcher line : lines()) {
      assertThat(written.put(line.group(1), line.group(2))).as(line.group(1) + " twice").isNull();
    }
    assertThat(written).isEqualTo(defaults);
  }

  @Test
  void page_hasEveryRangeThatTheProgramHolds() throws IOException {
    int held = 0;
    for (Matcher line : lines()) {
      String range = range(line.group(1));
      if (!range.isEmpty()) {
        assertThat(line.group(3)).as(line.group(1)).isEqualTo(range);
        held++;
      }
    }
    assertThat(held).isGreaterThan(20);
  }

  /** What the program says when a value is far outside; empty when it takes any. */
  private static String range(String key) {
    for (String value : TOO_MUCH) {
      for (String problem : problems(key, value)) {
        Matcher outside = OUTSIDE.matcher(problem);
        if (problem.startsWith(key + ": ") && outside.matches()) {
          return outside.group(1) + " to " + outside.group(2);
        }
        Matcher choice = NO_CHOICE.matcher(problem);
        if (problem.startsWith(key + ": ") && choice.matches()) {
          return "`" + choice.group(1).replace(", ", "`, `") + "`";
        }
      }
    }
    return "";
  }

  private static List<String> problems(String key, String value) {
    try {
      ServerConfig.from(new Settings(Map.of(key, value)));
      return List.of();
    } catch (InvalidSettings invalid) {
      return invalid.problems();
    }
  }

  private static List<Matcher> lines() throws IOException {
    List<Matcher> lines = new ArrayList<>();
    for (String text : Files.readAllLines(Repository.root().resolve("docs/settings.md"))) {
      Matcher line = LINE.matcher(text);
      if (line.matches()) {
        lines.add(line);
      } else {
        assertThat(text)
            .as("a line of the table that this test cannot read")
            .doesNotStartWith("| `");
      }
    }
    return lines;
  }
}
