package gilmok.lab.options;

import gilmok.lab.Servers;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Machine;
import gilmok.lab.report.Revision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The folder for an experiment's pages and plots. */
public final class PageOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for tables and plots (default: lab/results).")
  private @Nullable Path out;

  /** Measures one part. */
  @FunctionalInterface
  public interface Part<P> {
    /** The result of the part. */
    Chapter measure(P part) throws IOException, InterruptedException;
  }

  /**
   * Measures parts one after the other and writes a page for each.
   *
   * @param family the prefix of the files' names
   * @return 0 if all goals were reached, else 1
   */
  public <P> int write(String family, Collection<P> parts, Part<P> measuring)
      throws IOException, InterruptedException {
    Path root = Servers.root();
    boolean reached = true;
    for (P part : parts) {
      String machine = Machine.describe() + "; commit " + Revision.describe(root);
      System.err.println(part);
      Chapter chapter = measuring.measure(part);
      chapter.write(
          out == null ? root.resolve("lab/results") : out, family, machine, command(family));
      reached &= chapter.reached();
    }
    return reached ? 0 : 1;
  }

  private String command(String family) {
    return spec == null
        ? "lab " + family
        : String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }
}
