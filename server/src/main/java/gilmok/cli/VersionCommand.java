package gilmok.cli;

import gilmok.config.Packs;
import gilmok.runtime.Version;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code gilmok version}: prints the version, and what it was built from. */
@Command(
    name = "version",
    description = "Show the version and its commit, and the Java and system that it runs on.",
    footer = {"", "Examples:", "  gilmok version"})
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
    out().println(Version.origin());
    List<String> packs = Packs.present();
    if (!packs.isEmpty()) {
      out().println("packs: " + String.join(", ", packs));
    }
  }
}
