package gilmok.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of every command: its help, its output, and its exception for wrong usage. */
abstract class CliCommand {
  @Spec @Nullable CommandSpec spec;
  @Mixin Help help = new Help();

  CommandLine command() {
    return Objects.requireNonNull(spec).commandLine();
  }

  PrintWriter out() {
    return command().getOut();
  }

  PrintWriter err() {
    return command().getErr();
  }

  ParameterException wronglyAsked(String problem) {
    return new ParameterException(command(), problem);
  }

  /** An exception for wrong usage of a subcommand, whose help it then names. */
  ParameterException wronglyAsked(String subcommand, String problem) {
    return new ParameterException(command().getSubcommands().get(subcommand), problem);
  }
}
