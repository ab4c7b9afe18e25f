package gilmok.cli;

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
final class Version implements Runnable {
  @Spec @Nullable CommandSpec spec;
  @Mixin Help help = new Help();

  @Override
  public void run() {
    Objects.requireNonNull(spec).commandLine().getOut().println(line());
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
