package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each row of docs/stories.md names at least one test, and everything it names exists. */
@Tag("unit")
final class StoriesTest {
  /**
   * A test class, with or without one of its methods; or another method of the class named last.
   */
  private static final Pattern TEST =
      Pattern.compile(
          "`(?:gilmok\\.\\w+\\.)?([A-Z]\\w*(?:Test|IT|Race|Fuzz|Contract|Speed))?(?:\\.(\\w+))?`");

  private static final Pattern MEASUREMENT =
      Pattern.compile("`lab ([\\w-]+)(?: --only ([A-Z]+))?`");

  private static final Pattern STORY = Pattern.compile("`lab story ([\\w-]+)`");

  @Test
  void rows_nameTestsAndMeasurementsThatAreThere() throws IOException {
    Map<String, String> sources = sources();
    List<String> faults = new ArrayList<>();
    for (List<String> row : rows()) {
      tests(row, sources, faults);
      String cells = String.join(" ", row);
      MEASUREMENT
          .matcher(cells)
          .results()
          .filter(found -> !isMeasured(found.group(1), found.group(2), sources))
          .forEach(found -> faults.add("there is no " + found.group()));
      STORY
          .matcher(cells)
          .results()
          .filter(found -> !isStory(found.group(1), sources))
          .forEach(found -> faults.add("there is no " + found.group()));
    }
    assertThat(faults).isEmpty();
  }

  private static void tests(List<String> row, Map<String, String> sources, List<String> faults) {
    String said = row.get(2) + row.get(3);
    String source = "";
    int tests = 0;
    for (var found : TEST.matcher(said).results().toList()) {
      String name = found.group(1);
      String method = found.group(2);
      if (name != null) {
        source = sources.getOrDefault(name, "");
        tests += source.isEmpty() ? 0 : 1;
      }
      if (source.isEmpty() || (method != null && !source.contains("void " + method + "("))) {
        faults.add("there is no " + found.group());
      }
    }
    if (tests == 0) {
      faults.add("no test: " + row.getFirst());
    }
  }

  private static boolean isMeasured(String command, String part, Map<String, String> sources) {
    return sources.values().stream()
        .filter(source -> source.contains("name = \"" + command + "\""))
        .anyMatch(source -> part == null || source.contains(part));
  }

  private static boolean isStory(String name, Map<String, String> sources) {
    return sources.values().stream()
        .filter(source -> source.startsWith("package gilmok.lab.story"))
        .anyMatch(source -> source.contains('"' + name + '"'));
  }

  /** The cells of all rows: the story, what is here, tests, figures. */
  private static List<List<String>> rows() throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/stories.md"));
    List<List<String>> rows =
        page.lines()
            .filter(line -> line.startsWith("| "))
            .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
            .filter(row -> !row.get(2).equals("Test"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(20).allSatisfy(row -> assertThat(row).hasSize(4));
    return rows;
  }

  private static Map<String, String> sources() throws IOException {
    return Repository.files().stream()
        .filter(file -> file.toString().matches(".*/src/(test|main)/java/.*[.]java"))
        .filter(file -> file.startsWith("lab") || file.toString().contains("/test/"))
        .collect(Collectors.toMap(StoriesTest::name, StoriesTest::text, String::concat));
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String text(Path file) {
    try {
      return Files.readString(Repository.root().resolve(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
