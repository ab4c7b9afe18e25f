package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** README is short, and says the same in both of its languages. */
@Tag("unit")
final class ReadmeTest {
  private static final int LINES_MAX = 150;
  private static final int LINE_MAX = 120;
  private static final Pattern LINK = Pattern.compile("]\\(([^)]*)\\)");
  private static final Pattern NAMED = Pattern.compile("`([^`]+)`");
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*\\d|\\d");

  @Test
  void readmes_areShort() throws IOException {
    for (String name : List.of("README.md", "README.ko.md")) {
      List<String> lines = lines(name);
      assertThat(lines).as(name).hasSizeLessThanOrEqualTo(LINES_MAX);
      assertThat(lines).as(name).allMatch(line -> line.length() <= LINE_MAX);
    }
  }

  @Test
  void korean_hasTheSameHeadings_commandsPicturesAndLinks() throws IOException {
    List<String> english = lines("README.md");
    List<String> korean = lines("README.ko.md");

    assertThat(commands(korean)).isNotEmpty().isEqualTo(commands(english));
    assertThat(levels(korean)).isEqualTo(levels(english));
    assertThat(links(korean))
        .as("but for that of the other language")
        .containsExactlyInAnyOrderElementsOf(
            links(english).stream()
                .map(link -> link.equals("README.ko.md") ? "README.md" : link)
                .toList());
  }

  /**
   * Which tests hold what, and each figure, are in both: the words beside them are not compared.
   */
  @Test
  void korean_hasTheSameTables() throws IOException {
    List<String> english = rows("README.md");
    List<String> korean = rows("README.ko.md");

    assertThat(korean).hasSameSizeAs(english);
    for (int i = 0; i < english.size(); i++) {
      assertThat(all(NAMED, korean.get(i)))
          .as(korean.get(i))
          .containsExactlyInAnyOrderElementsOf(all(NAMED, english.get(i)));
    }
    for (int i = english.indexOf("| What | Figure |") + 2; i < english.size(); i++) {
      assertThat(all(NUMBER, english.get(i))).as(korean.get(i)).allMatch(korean.get(i)::contains);
    }
  }

  private static List<String> lines(String name) throws IOException {
    return Files.readAllLines(Repository.root().resolve(name));
  }

  private static List<String> rows(String name) throws IOException {
    return lines(name).stream()
        .filter(line -> line.startsWith("|"))
        .map(line -> line.startsWith("| 무엇 |") ? "| What | Figure |" : line)
        .toList();
  }

  /** The lines of all blocks, without comments. */
  private static List<String> commands(List<String> lines) {
    boolean[] inside = {false};
    return lines.stream()
        .filter(
            line -> {
              inside[0] ^= line.startsWith("```");
              return inside[0] && !line.startsWith("```");
            })
        .map(line -> line.replaceFirst("\\s+# .*", ""))
        .toList();
  }

  private static List<String> levels(List<String> lines) {
    return lines.stream()
        .filter(l -> l.matches("#+ .*"))
        .map(l -> l.replaceAll(" .*", ""))
        .toList();
  }

  private static List<String> links(List<String> lines) {
    return lines.stream()
        .flatMap(line -> LINK.matcher(line).results())
        .map(found -> found.group(1))
        .toList();
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(MatchResult::group).toList();
  }
}
