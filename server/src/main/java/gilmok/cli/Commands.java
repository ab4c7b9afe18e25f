package gilmok.cli;

import gilmok.config.InvalidSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The program's commands: finds the one that was called, runs it, and prints errors in readable
 * form.
 */
@Command(
    name = "gilmok",
    description = "Gilmok collects what a delivery fleet's phones send.",
    footer = {
      "",
      "Examples:",
      "  gilmok version",
      "  gilmok keys ls",
      "",
      "GILMOK_URL in the environment is the server that the commands talk to."
    })
public final class Commands extends CliCommand implements Runnable {
  /** As Linux, and Java's writing of files, says it. */
  private static final String NO_SPACE = "No space left on device";

  private Commands() {}

  /**
   * Runs one command.
   *
   * @param more commands of other packages, such as {@code serve}: annotated for picocli, or
   *     command lines
   * @return the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted
   */
  public static int run(String[] arguments, Object... more) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    return run(out, err, arguments, more);
  }

  /** Runs one command, with other outputs. */
  public static int run(PrintWriter out, PrintWriter err, String[] arguments, Object... more) {
    String asked = arguments.length == 0 ? "" : arguments[0];
    return line(asked, more).setOut(out).setErr(err).execute(arguments);
  }

  /**
   * A command line with the called command alone, if there is one of that name, else with all:
   * reading the options of all commands would take a good part of a server's start.
   */
  public static CommandLine line(String asked, Object... more) {
    List<Object> commands = new ArrayList<>(List.of(more));
    commands.addAll(
        List.of(
            new Replay(),
            new ImportCommand(),
            new ExportCommand(),
            new BackupCommand(),
            new RestoreCommand(),
            new KeysCommand(),
            new PhonesCommand(),
            new SinkCommand(),
            new LedgerCommand(),
            new QuarantineCommand(),
            new FormatsCommand(),
            new CompareCommand(),
            new DiagnoseCommand(),
            new LogCommand(),
            new CompletionCommand(),
            new VersionCommand()));
    CommandLine line = new CommandLine(new Commands());
    boolean isAll = asked.equals(CompletionCommand.NAME);
    List<Object> named = commands.stream().filter(one -> asked.equals(name(one))).toList();
    (named.isEmpty() || isAll ? commands : named).forEach(line::addSubcommand);
    return Help.on(line)
        .setParameterExceptionHandler(Commands::wronglyAsked)
        .setExecutionExceptionHandler(Commands::failed);
  }

  private static String name(Object command) {
    if (command instanceof CommandLine line) {
      return line.getCommandName();
    }
    Command annotation = command.getClass().getAnnotation(Command.class);
    return annotation == null ? "" : annotation.name();
  }

  @Override
  public void run() {
    throw wronglyAsked("No command");
  }

  private static int wronglyAsked(ParameterException problem, String[] arguments) {
    CommandLine line = problem.getCommandLine();
    String name = line.getCommandSpec().qualifiedName();
    line.getErr().println(name + ": " + firstLine(problem) + " (see: " + name + " --help)");
    return ExitCode.USAGE;
  }

  private static int failed(Exception problem, CommandLine line, ParseResult parsed)
      throws Exception {
    switch (problem) {
      case CommandFailure failure -> line.getErr().println("gilmok: " + failure.getMessage());
      case InvalidSettings invalid -> {
        invalid.problems().forEach(one -> line.getErr().println("gilmok: " + one));
        return ExitCode.USAGE;
      }
      case FileSystemException file ->
          line.getErr()
              .println(
                  "gilmok: %s cannot be read or written: %s"
                      .formatted(
                          file.getFile(),
                          file.getReason() == null
                              ? file.getClass().getSimpleName()
                              : file.getReason()));
      case IOException full when String.valueOf(full.getMessage()).startsWith(NO_SPACE) ->
          line.getErr().println("gilmok: the disk is full; make room, and give the command again");
      // A bug: the user needs the stack trace.
      default -> throw problem;
    }
    return ExitCode.SOFTWARE;
  }

  private static String firstLine(ParameterException problem) {
    String message = String.valueOf(problem.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end).stripTrailing();
  }
}
