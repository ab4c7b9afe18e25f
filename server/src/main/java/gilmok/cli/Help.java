package gilmok.cli;

import picocli.CommandLine.Option;

/** The option every command has. */
final class Help {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Say what this command does, and how.")
  boolean asked;
}
