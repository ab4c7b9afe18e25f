package gilmok.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of every command: its output, and its exception for wrong usage. */
public abstract class CliCommand {
  @Spec @Nullable CommandSpec spec;

  protected CliCommand() {}

  CommandLine command() {
    return Objects.requireNonNull(spec).commandLine();
  }

  protected final PrintWriter out() {
    return command().getOut();
  }

  protected final PrintWriter err() {
    return command().getErr();
  }

  protected final ParameterException wronglyAsked(String problem) {
    return new ParameterException(command(), problem);
  }

  /** An exception for a command that has only commands below it. */
  protected final ParameterException verbMissing() {
    return wronglyAsked("Say one of " + Help.verbs(Objects.requireNonNull(spec)));
  }

  /** An exception for wrong usage of a subcommand, whose help it then names. */
  protected final ParameterException wronglyAsked(String subcommand, String problem) {
    return new ParameterException(command().getSubcommands().get(subcommand), problem);
  }
}
