package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each page of figures begins with a table of claims: a row says how a figure was measured, and the
 * page below contains it. README's figures are among those of the pages.
 */
@Tag("unit")
final class FiguresTest {
  private static final Path PAGES = Repository.root().resolve("lab/capacity");
  private static final String HEAD = "| Claim | Figure | Command | Commit | When | Quiet | Held |";
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?");

  /** A command of today's, or one that a commit had: it names that commit. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "`(?:git checkout ([0-9a-f]{7}); )?(?:\\./gilmok (?:lab )?([\\w-]+)|lab/(\\w+))[^`]*`$");

  @Test
  void pages_beginWithTheirClaims() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      List<String> rows = rows(text);
      if (rows.isEmpty()) {
        faults.add(page.getFileName() + ": has no table of claims");
      }
      String below = text.substring(text.indexOf("\n## "));
      rows.forEach(row -> check(page.getFileName().toString(), row, below, faults));
    }
    assertThat(faults).isEmpty();
  }

  private static void check(String page, String row, String below, List<String> faults) {
    List<String> cells = Arrays.stream(row.split("\\|")).map(String::strip).toList();
    String claim = page + ": " + cells.get(1) + ": ";
    var command = COMMAND.matcher(cells.get(3));
    if (!command.find()) {
      faults.add(claim + "no command that measures it");
    } else if (command.group(1) != null) {
      if (!cells.get(4).endsWith(command.group(1))) {
        faults.add(claim + command.group(1) + " is not its commit, " + cells.get(4));
      }
    } else if (!isThere(command.group(2), command.group(3))) {
      faults.add(claim + "there is no " + cells.get(3));
    }
    if (!cells.get(4).matches("(before |up to )?[0-9a-f]{7}( (to|beside) [0-9a-f]{7})?")) {
      faults.add(claim + "no commit, but " + cells.get(4));
    }
    if (!cells.get(5).matches("\\d{4}-\\d\\d-\\d\\d|not recorded")) {
      faults.add(claim + "no day, but " + cells.get(5));
    }
    for (int i = 6; i < 8; i++) {
      if (cells.get(i).isEmpty()) {
        faults.add(claim + "does not say how quiet it was, or for how long");
      }
    }
    numbers(cells.get(2).replaceAll("\\(wanted[^)]*\\)", ""))
        .filter(number -> !isIn(number, below))
        .forEach(number -> faults.add(claim + number + " is not in the page below"));
  }

  private static boolean isThere(String experiment, String script) {
    return experiment == null
        ? Files.isExecutable(Repository.root().resolve("lab").resolve(script))
        : experiment.equals("capacity") || LabCommands.NAMES.contains(experiment);
  }

  private static boolean isIn(String number, String text) {
    return Pattern.compile("(?<![\\d.,])" + Pattern.quote(number) + "(?!\\d)").matcher(text).find();
  }

  @Test
  void readme_saysWhatThePagesSay() throws IOException {
    String readme = Files.readString(Repository.root().resolve("README.md"));
    int begin = readme.indexOf("## How fast");
    String table = readme.substring(begin, readme.indexOf("\n## ", begin + 1));
    List<Double> measured = new ArrayList<>();
    for (Path page : pages()) {
      numbers(Files.readString(page)).map(FiguresTest::value).forEach(measured::add);
    }
    List<String> strange =
        table
            .lines()
            .filter(line -> line.startsWith("| "))
            .flatMap(line -> numbers(line.replace(" million", "00,000")))
            .filter(number -> measured.stream().noneMatch(one -> isRounded(number, one)))
            .toList();
    assertThat(strange).as("figures of README that no page has").isEmpty();
  }

  /** Whether {@code number} is {@code exact}, rounded to the digits that {@code number} has. */
  private static boolean isRounded(String number, double exact) {
    double rounded = value(number);
    String digits = number.replaceAll("[,.]|^0+", "").replaceAll("0+$", "");
    double unit = Math.pow(10, Math.ceil(Math.log10(Math.max(rounded, 1e-9))) - digits.length());
    return Math.abs(rounded - exact) <= Math.max(unit, 1e-9) * 0.51 + 1e-9;
  }

  @Test
  void rounding_isToTheDigitsThatAreSaid() {
    assertThat(isRounded("109,000", 108_659)).isTrue();
    assertThat(isRounded("109,000", 109_700)).isFalse();
    assertThat(isRounded("0.82", 0.82)).isTrue();
    assertThat(isRounded("0.82", 0.85)).isFalse();
  }

  private static double value(String number) {
    return Double.parseDouble(number.replace(",", ""));
  }

  private static Stream<String> numbers(String text) {
    return NUMBER.matcher(text).results().map(MatchResult::group).map(n -> n.replaceAll(",$", ""));
  }

  private static List<String> rows(String text) {
    return text.lines()
        .dropWhile(line -> !line.equals(HEAD))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.list(PAGES)) {
      return all.filter(page -> page.toString().endsWith(".md"))
          .filter(page -> !page.endsWith("README.md"))
          .sorted()
          .toList();
    }
  }

  /** The laboratory's commands, from its README. */
  private static final class LabCommands {
    static final List<String> NAMES;

    static {
      try {
        String readme = Files.readString(Repository.root().resolve("lab/README.md"));
        NAMES =
            Pattern.compile("`lab ([\\w-]+)")
                .matcher(readme)
                .results()
                .map(match -> match.group(1))
                .toList();
      } catch (IOException unreadable) {
        throw new ExceptionInInitializerError(unreadable);
      }
    }
  }
}
