package gilmok.cli;

import picocli.CommandLine.Option;

/** The option {@code --help} of every command. */
final class Help {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean asked;
}
