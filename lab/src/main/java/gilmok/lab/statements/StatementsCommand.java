package gilmok.lab.statements;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.capacity.Chapter;
import gilmok.lab.capacity.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code lab statements}: measures what statements are to reach, a table and a plot for each part.
 * Exits with 0 when all was reached, 1 when something was missed.
 */
@Command(
    name = "statements",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures statements beside Spring Data, a table and a plot each. To build that:",
      "  mvn -q -f lab/baselines/statements package",
      "",
      "  WAYS      from documents to sums, each way on the same bytes (JMH), about 15 minutes",
      "  CLIFF     by documents and connections, over HTTP, against recorded answers",
      "  DATABASE  processor time a request, against the test database itself",
      "  SQLITE    ours with SQLite",
      "",
      "Examples:",
      "  gilmok lab statements",
      "  gilmok lab statements --only WAYS --sizes 2000 --jmh \"-wi 3 -w 1 -i 3 -r 1\"",
      "  gilmok lab statements --only CLIFF,DATABASE --database 27017",
      ""
    })
public final class StatementsCommand implements Callable<Integer> {
  /** What can be measured. */
  enum Part {
    WAYS,
    CLIFF,
    DATABASE,
    SQLITE
  }

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--only", split = ",", description = "some of: ${COMPLETION-CANDIDATES}")
  private @Nullable Set<Part> only;

  @Option(names = "--sizes", split = ",", defaultValue = "200,300,1000,2000")
  private List<Integer> sizes = List.of();

  @Option(names = "--connections", split = ",", defaultValue = "1,4,16,64")
  private List<Integer> connections = List.of();

  @Option(names = "--seconds", defaultValue = "5", description = "a measurement: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(names = "--warmup", defaultValue = "2", description = "before each: ${DEFAULT-VALUE}")
  private int warmup;

  @Option(names = "--own-warmup", defaultValue = "20", description = "at first: ${DEFAULT-VALUE}")
  private int ownWarmup;

  @Option(names = "--spring-warmup", defaultValue = "60", description = "${DEFAULT-VALUE}")
  private int springWarmup;

  @Option(names = "--heap", defaultValue = "512m", description = "ours: ${DEFAULT-VALUE}")
  private String heap = "";

  @Option(names = "--jmh", defaultValue = "", description = "more arguments of JMH, in one word")
  private String jmh = "";

  @Option(
      names = "--database",
      description = "the port on loopback of a MongoDB that runs already; else .ci/secantus starts")
  private @Nullable Integer database;

  @Option(names = "--work", description = "where data folders go; else a temporary folder")
  private @Nullable Path work;

  @Option(names = "--out", description = "where tables and plots go; lab/results")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path labJar = Servers.ownJar();
    Path root = labJar.resolve("../../..").normalize();
    Path folder = ScratchFolder.create(work, "statements-");
    Ways.Baseline baseline =
        new Ways.Baseline(
            root.resolve("lab/baselines/statements"), root.resolve("server/target/gilmok.jar"));
    Stage stage = new Stage(new Servers(labJar, folder), baseline, root, folder, heap);
    OverHttp overHttp =
        new OverHttp(
            stage,
            new OverHttp.Times(seconds, warmup, ownWarmup, springWarmup),
            sizes,
            connections,
            database,
            System.err::println);
    boolean reached = true;
    try {
      for (Part part : only == null ? EnumSet.allOf(Part.class) : only) {
        String machine = Machine.describe();
        Chapter chapter =
            switch (part) {
              case WAYS -> new Ways(baseline, folder, sizes, words(jmh)).run();
              case CLIFF -> overHttp.cliff();
              case DATABASE -> overHttp.database();
              case SQLITE -> overHttp.sqlite();
            };
        write(out == null ? root.resolve("lab/results") : out, machine, chapter);
        reached &= chapter.reached();
      }
      return reached ? 0 : 1;
    } finally {
      ScratchFolder.delete(folder);
    }
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }

  private void write(Path folder, String machine, Chapter chapter) throws IOException {
    List<String> command = new ArrayList<>(List.of("lab"));
    if (spec != null) {
      command.addAll(spec.commandLine().getParseResult().originalArgs());
    }
    chapter.write(folder, "statements", machine, String.join(" ", command));
  }
}
