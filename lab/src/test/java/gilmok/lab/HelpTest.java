package gilmok.lab;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** The help of every command of both programs has one form. */
@Tag("unit")
final class HelpTest {
  private static final int COLUMNS = 80;

  @TestFactory
  Stream<DynamicTest> everyCommand_hasTheForm() {
    List<CommandLine> all = all();
    assertThat(all).hasSizeGreaterThan(60);
    return all.stream()
        .map(
            line ->
                DynamicTest.dynamicTest(line.getCommandSpec().qualifiedName(), () -> check(line)));
  }

  /** Every command, hidden ones, too. */
  private static List<CommandLine> all() {
    List<CommandLine> all = new ArrayList<>();
    all.add(Commands.line("", Lab.commands()));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values());
    }
    return all;
  }

  private static void check(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    String text = line.getUsageMessage(Ansi.OFF);
    List<String> lines = text.lines().toList();
    assertThat(lines.get(0)).startsWith("Usage: " + spec.qualifiedName());
    assertThat(lines.get(1)).isEmpty();
    assertThat(lines).allMatch(one -> one.length() <= COLUMNS, "fits");
    assertThat(lines).noneMatch(one -> one.endsWith(" "));
    assertThat(text).contains("\nOptions:\n", "  -h, --help").doesNotContain("${", "%n");
    assertThat(lines.stream().filter(one -> one.matches("\\S.*:")))
        .isSubsetOf("Arguments:", "Options:", "Commands:", "Examples:")
        .doesNotHaveDuplicates();
    for (String paragraph : spec.usageMessage().description()) {
      if (!paragraph.isEmpty()) {
        whole(lines, paragraph);
      }
      if (!paragraph.isEmpty() && !paragraph.startsWith("  ")) {
        sentence(spec.qualifiedName(), paragraph);
      }
    }
    Stream.concat(spec.options().stream(), spec.positionalParameters().stream())
        .filter(one -> !one.hidden())
        .forEach(one -> check(one, lines));
    if (!spec.usageMessage().hidden()) {
      check(Examples.of(text));
    }
  }

  private static void check(ArgSpec one, List<String> lines) {
    String said = String.join(" ", one.description());
    sentence(one.toString(), said);
    whole(lines, said);
    if (one.defaultValue() != null) {
      assertThat(said).as(one.toString()).contains("(default: ").doesNotContain("(default: )");
    }
  }

  private static void check(List<String> examples) {
    assertThat(examples).isNotEmpty();
    for (String example : examples) {
      assertThat(example).containsPattern("(^|[|(] ?)gilmok [a-z]").doesNotContain("…", "...");
      for (String line : example.split("\n", -1)) {
        // As it is shown where the launcher was called as ./gilmok.
        int longer = 2 + 2 * line.replaceAll("(?s)gilmok ", "~").replaceAll("[^~]", "").length();
        assertThat(line.length() + longer).as(line).isLessThanOrEqualTo(COLUMNS);
      }
    }
  }

  private static void sentence(String what, String text) {
    assertThat(text).as(what).matches("(?s)[A-Z].*[.)]");
    assertThat(text).as(what).doesNotContain("..", "  ").doesNotContainPattern(" \\.( |$)");
    assertThat(text.endsWith(".") || text.endsWith(".)")).as(what + ": " + text).isTrue();
  }

  /** Holds that no word of a text is cut where a line ends. */
  private static void whole(List<String> lines, String text) {
    assertThat(String.join(" ", lines).split(" +")).contains(text.strip().split(" +"));
  }
}
