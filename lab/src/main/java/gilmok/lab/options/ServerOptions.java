package gilmok.lab.options;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of an experiment's servers. */
public final class ServerOptions {
  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description = "A server's heap (default: ${DEFAULT-VALUE}).")
  private String heap = "";

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where data folders go (default: a temporary folder).")
  private @Nullable Path work;

  /** An experiment with servers. */
  @FunctionalInterface
  public interface Experiment {
    /**
     * Runs the experiment.
     *
     * @param folder for its data; deleted afterwards
     * @return the exit code of the command
     */
    int run(Servers servers, Path folder) throws IOException, InterruptedException;
  }

  /** The heap of each server, in Java's notation. */
  public String heap() {
    return heap;
  }

  /** Runs an experiment in a folder of its own. */
  public int run(String name, Experiment experiment) throws IOException, InterruptedException {
    Path folder = ScratchFolder.create(work, name + "-");
    try {
      return experiment.run(new Servers(Servers.ownJar(), folder), folder);
    } finally {
      ScratchFolder.delete(folder);
    }
  }
}
