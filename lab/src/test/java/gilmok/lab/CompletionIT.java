package gilmok.lab;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a shell completes that has read {@code gilmok completion}. */
@Tag("process")
final class CompletionIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gilmok ser | serve",
        "./gilmok ser | serve",
        "gilmok keys c | create",
        "gilmok keys create --sco | --scopes",
        "gilmok lab tor | torture",
        "gilmok lab missions --only AN | ANSWER",
        "gilmok dem | demo",
        "gilmok test pro | process",
        "gilmok ven | vendor",
        "gilmok log sh | show"
      })
  void bash_completesWhatWasBegun(String begun, String completed) throws Exception {
    Path script = Files.writeString(folder.resolve("completion.bash"), script("bash"));
    // As readline does: it looks for the function by the command's name, and calls it.
    String asked =
        """
        source "$1" || exit 9
        line=$2 COMP_LINE=$2
        read -r -a COMP_WORDS <<<"$line"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE}
        name=${COMP_WORDS[0]##*/}
        function=$(complete -p "$name" | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
        "$function" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """;
    Process bash =
        new ProcessBuilder("bash", "-c", asked, "bash", script.toString(), begun)
            // Where compopt says that no completion is going on.
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    bash.getOutputStream().close();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(said.strip().lines().map(String::strip)).containsExactly(completed);
  }

  @Test
  void hiddenCommands_areNotCompleted() {
    assertThat(script("bash")).doesNotContain("ship-loop", "'cat'", " cat ");
  }

  @Test
  void zsh_isGivenTheSame_whichLoadsWhatItNeeds() {
    assertThat(script("zsh")).contains("ZSH_VERSION", "bashcompinit");
  }

  @Test
  void unknownShell_isWrongUsage() {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    assertThat(Commands.run(out, out, new String[] {"completion", "fish"}, Lab.commands()))
        .isEqualTo(2);
    assertThat(said.toString()).contains("fish is none of bash, zsh");
  }

  private static String script(String shell) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    int code = Commands.run(out, out, new String[] {"completion", shell}, Lab.commands());
    assertThat(code).as(said.toString()).isZero();
    return said.toString();
  }
}
