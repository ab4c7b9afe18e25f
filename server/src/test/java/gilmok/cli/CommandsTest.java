package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

@Tag("unit")
class CommandsTest {
  /** What else every command's help keeps to is held by the lab's {@code HelpTest}. */
  @Test
  void help_namesTheLauncherAsItWasCalled() {
    CommandLine keys = new CommandLine(new KeysCommand());
    assertThat(Help.on(keys, "./gilmok").getUsageMessage(Ansi.OFF))
        .startsWith("Usage: keys COMMAND\n")
        .contains("\n  ./gilmok keys ls\n");
    CommandLine log = Help.on(new CommandLine(new LogCommand()), "./gilmok");
    CommandLine show = Objects.requireNonNull(log.getSubcommands().get("show"));
    assertThat(show.getUsageMessage(Ansi.OFF))
        .contains("\n  ./gilmok log show --stream traces --limit 100 | ./gilmok replay -\n");
  }

  @Test
  void help_saysWhatIsRequired() {
    assertThat(Shell.run("keys", "create", "--help").out())
        .startsWith("Usage: gilmok keys create --scopes=SCOPE[,SCOPE...] [OPTIONS] NAME\n");
    assertThat(Shell.run("sink", "rewind", "-h").out())
        .startsWith("Usage: gilmok sink rewind (--to=TIME | --to-sequence=N) [OPTIONS] SINK\n");
  }

  @Test
  void page_breaksLinesAtBlanksAlone() {
    String path = "./a.b/c-d:e".repeat(6);
    assertThat(HelpPage.paragraphs("This one is said about " + path + ".", "  kept  as it is"))
        .isEqualTo("This one is said about\n" + path + ".\n  kept  as it is\n");
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
