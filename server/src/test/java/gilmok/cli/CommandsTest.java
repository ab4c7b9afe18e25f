package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@Tag("unit")
class CommandsTest {
  @Test
  void everyCommand_help_hasAnExampleAndFitsTheTerminal() {
    Deque<CommandLine> open = new ArrayDeque<>(Commands.line("").getSubcommands().values());
    int seen = 0;
    while (!open.isEmpty()) {
      CommandLine line = open.pop();
      open.addAll(line.getSubcommands().values());
      List<String> words =
          new ArrayList<>(List.of(line.getCommandSpec().qualifiedName().split(" ")));
      words.removeFirst();
      words.add("--help");
      Shell.Result result = Shell.run(words.toArray(String[]::new));
      assertThat(result.code()).as(words.toString()).isZero();
      assertThat(result.out()).as(words.toString()).contains("Example");
      assertThat(result.out().lines()).allMatch(text -> text.length() <= 100);
      seen++;
    }
    assertThat(seen).isEqualTo(22);
  }

  @Test
  void noCommandOrUnknown_isWrongUsageInOneLine() {
    for (String[] wrong : new String[][] {{}, {"fly"}, {"keys"}, {"keys", "make"}, {"sink"}}) {
      Shell.Result result = Shell.run(wrong);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err().lines()).hasSize(1);
    }
  }

  @Test
  void version_saysWhatRuns() {
    Shell.Result result = Shell.run("version");
    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("gilmok ").contains("on Java " + Runtime.version());
  }
}
