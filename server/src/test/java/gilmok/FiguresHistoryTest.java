package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A reader can check out each commit that a page of figures names: it is in the history. */
@Tag("process")
final class FiguresHistoryTest {
  /**
   * A commit in the text: seven hexadecimal digits, at least one of them a letter, as seven decimal
   * digits may be any number.
   */
  private static final Pattern COMMIT = Pattern.compile("\\b(?=\\d*[a-f])[0-9a-f]{7}\\b");

  /** A commit in a claim's cell, where only commits are written: all its digits may be decimal. */
  private static final Pattern CLAIMED = Pattern.compile("\\b[0-9a-f]{7}\\b");

  @Test
  void commitsOfThePages_areInTheHistory() throws Exception {
    Assumptions.assumeTrue(
        git("rev-parse", "--is-shallow-repository").equals(List.of("false")),
        "no git, no repository, or a shallow clone: without the whole history commits of"
            + " lab/capacity are not looked up");
    Set<String> history =
        git("rev-list", "HEAD").stream()
            .map(commit -> commit.substring(0, 7))
            .collect(Collectors.toSet());
    assertThat(commits()).hasSizeGreaterThan(10).isSubsetOf(history);
  }

  private static Set<String> commits() throws IOException {
    Set<String> commits = new TreeSet<>();
    try (Stream<Path> pages = Files.list(Repository.root().resolve("lab/capacity"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        String text = Files.readString(page);
        add(COMMIT, text, commits);
        text.lines()
            .map(line -> line.split("\\|"))
            .filter(cells -> cells.length == 8)
            .forEach(cells -> add(CLAIMED, cells[4], commits));
      }
    }
    return commits;
  }

  private static void add(Pattern pattern, String text, Set<String> commits) {
    pattern.matcher(text).results().forEach(match -> commits.add(match.group()));
  }

  /** The lines that git prints; none without git or outside a repository. */
  private static List<String> git(String... arguments) throws InterruptedException {
    try {
      Process git =
          new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
              .directory(Repository.root().toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor() == 0 ? said.lines().toList() : List.of();
    } catch (IOException absent) {
      return List.of();
    }
  }
}
