package gilmok.cli;

import gilmok.runtime.Version;
import picocli.CommandLine.Command;

/** {@code gilmok version}: prints the version. */
@Command(
    name = "version",
    description = "Show the version, and the Java and system that it runs on.",
    footer = {"", "Example:", "  gilmok version"})
final class VersionCommand extends CliCommand implements Runnable {
  @Override
  public void run() {
    out()
        .printf(
            "gilmok %s on Java %s (%s), %s %s, %d processors%n",
            Version.ofThis(),
            Runtime.version(),
            System.getProperty("java.vm.name"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors());
  }
}
