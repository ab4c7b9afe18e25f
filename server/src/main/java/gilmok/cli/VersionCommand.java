package gilmok.cli;

import gilmok.runtime.Version;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code gilmok version}. */
@Command(
    name = "version",
    description = "Say which version this is, and what it runs on.",
    footer = {"", "Example:", "  gilmok version"})
final class VersionCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;
  @Mixin Help help = new Help();

  @Override
  public void run() {
    Objects.requireNonNull(spec).commandLine().getOut().println(line());
  }

  static String line() {
    return "gilmok %s on Java %s (%s), %s %s, %d processors"
        .formatted(
            Version.ofThis(),
            Runtime.version(),
            System.getProperty("java.vm.name"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors());
  }
}
