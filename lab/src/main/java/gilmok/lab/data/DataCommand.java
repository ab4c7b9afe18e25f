package gilmok.lab.data;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lab data}: public sets of data, listed and brought onto this machine. */
@Command(
    name = "data",
    description = "List public sets of data, and bring one onto this machine.",
    footer = {
      "",
      "Examples:",
      "  gilmok lab data list",
      "  gilmok lab data get tsppd    # needs git",
      "  gilmok lab data get lrc206   # needs python3 with pip, takes some minutes"
    })
public final class DataCommand implements Runnable {
  private static final int NOT_BROUGHT = 1;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "Say one of list, get");
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  @Command(
      name = "list",
      description = "List the sets: what each holds, its licence, and where it comes from.",
      footer = {"", "Examples:", "  gilmok lab data list"})
  int list(@Mixin SetFolder folder) throws IOException {
    for (PublicSet set : PublicSet.ALL) {
      show(set);
      boolean isThere = Files.isDirectory(set.in(folder.path()));
      out().println("  here     " + (isThere ? set.in(folder.path()) : "no"));
      out().println();
    }
    return 0;
  }

  @Command(
      name = "get",
      description = {
        "Bring a set by pip or git from where it is published, check it, and put it into the "
            + "folder of sets. Its licence is its authors'.",
        "",
        "Exit code: 0 if it is there, 1 if it could not be brought or is not as it was "
            + "published, 2 if there is no such set."
      },
      footer = {
        "",
        "Examples:",
        "  gilmok lab data get tsppd",
        "  gilmok lab data get mdrp --from ../mdrplib"
      })
  int get(
      @Parameters(paramLabel = "NAME", description = "The set.") String name,
      @Option(
              names = "--from",
              paramLabel = "COPY",
              description =
                  "A copy to take it from, which is checked all the same: a repository's URL or "
                      + "path, or a package's archive.")
          @Nullable String from,
      @Mixin SetFolder folder)
      throws IOException, InterruptedException {
    PublicSet set =
        PublicSet.named(name)
            .orElseThrow(
                () ->
                    new ParameterException(
                        Objects.requireNonNull(spec).commandLine().getSubcommands().get("get"),
                        "There is no set " + name + "; gilmok lab data list has them"));
    show(set);
    try {
      Path place = new SetFetch(set, from).into(folder.path());
      out().println("  here     " + place);
      return 0;
    } catch (IOException failed) {
      Objects.requireNonNull(spec).commandLine().getErr().println(failed.getMessage());
      return NOT_BROUGHT;
    }
  }

  private void show(PublicSet set) {
    out().println(set.name() + ": " + set.what());
    out().println("  licence  " + set.licence());
    out().println("  source   " + set.origin().told());
    out().printf("  files    %,d%n", set.count());
    out().println("  SHA-256  " + set.sha256());
  }
}
