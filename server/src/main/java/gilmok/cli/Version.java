package gilmok.cli;

import picocli.CommandLine.Command;

/** {@code gilmok version}. */
@Command(
    name = "version",
    description = "Say which version this is, and what it runs on.",
    footer = {"", "Example:", "  gilmok version"})
final class Version extends CliCommand implements Runnable {
  @Override
  public void run() {
    out().println(line());
  }

  static String line() {
    String version = Version.class.getPackage().getImplementationVersion();
    return "gilmok %s on Java %s (%s), %s %s, %d processors"
        .formatted(
            version == null ? "development" : version,
            Runtime.version(),
            System.getProperty("java.vm.name"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors());
  }
}
