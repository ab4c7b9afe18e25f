package gilmok.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command has: its help, where it writes, and how it says that it was asked wrongly. */
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

  /** The same of one of its subcommands, whose help is then named. */
  ParameterException wronglyAsked(String subcommand, String problem) {
    return new ParameterException(command().getSubcommands().get(subcommand), problem);
  }
}
