package gilmok.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;

/** {@code gilmok completion}: prints the script by which a shell completes our commands. */
@Command(
    name = CompletionCommand.NAME,
    description =
        "Print the script by which a shell completes commands and options. It works in the shell"
            + " that reads it; a line in ~/.bashrc or ~/.zshrc has every new one read it.",
    footer = {
      "",
      "Examples:",
      "  source <(gilmok completion bash)",
      "  gilmok completion bash >gilmok-completion.bash"
    })
final class CompletionCommand extends CliCommand implements Runnable {
  static final String NAME = "completion";

  private static final List<String> SHELLS = List.of("bash", "zsh");
  private static final List<String> TIERS =
      List.of("unit", "server", "process", "engine", "browser", "contract", "k6", "soak", "ci");

  /** The launcher's own commands. */
  private static final List<String> OF_LAUNCHER = List.of("test", "format", "build", "vendor");

  @Parameters(paramLabel = "SHELL", description = "The shell: bash or zsh.")
  String shell = "";

  @Override
  public void run() {
    if (!SHELLS.contains(shell)) {
      throw wronglyAsked(shell + " is none of " + String.join(", ", SHELLS));
    }
    CommandLine all = command().getParent();
    OF_LAUNCHER.forEach(name -> all.addSubcommand(name, ofLauncher(name)));
    // picocli's script serves both: in zsh, it loads what that has for bash's completion.
    out().print(AutoComplete.bash(all.getCommandName(), all));
    out().flush();
  }

  private static CommandLine ofLauncher(String name) {
    CommandSpec spec = CommandSpec.create();
    if (name.equals("test")) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .index("0")
              .arity("0..1")
              .type(String.class)
              .completionCandidates(TIERS)
              .build());
    }
    return new CommandLine(spec);
  }
}
