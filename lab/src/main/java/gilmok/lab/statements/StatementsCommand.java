package gilmok.lab.statements;

import gilmok.lab.Servers;
import gilmok.lab.options.PageOptions;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.options.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab statements}: measures the goals of statements, with a table and a plot for each part.
 * Exits with 0 when all goals were reached, 1 when one was missed.
 */
@Command(
    name = "statements",
    description = {
      "Measure statements beside Spring Data, with a table and a plot of each part. "
          + "To build that: mvn -q -f lab/baselines/statements package.",
      "",
      "  WAYS      From documents to sums, each way on the same bytes (JMH):",
      "            15 minutes.",
      "  CLIFF     By documents and connections, over HTTP, on recorded answers.",
      "  DATABASE  Processor time a request, on the test database itself.",
      "  SQLITE    Ours with SQLite."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab statements --only WAYS --sizes 2000 \\",
      "      --jmh \"-wi 3 -w 1 -i 3 -r 1\"",
      "  gilmok lab statements --only CLIFF,DATABASE --database 27017",
      "  gilmok lab statements                                         # 25 minutes"
    })
public final class StatementsCommand implements Callable<Integer> {
  /** The parts of the measurement. */
  enum Part {
    WAYS,
    CLIFF,
    DATABASE,
    SQLITE
  }

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = "Only these of ${COMPLETION-CANDIDATES} (default: all).")
  private @Nullable Set<Part> only;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "200,300,1000,2000",
      paramLabel = "N",
      description = "Entries of a rider (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--connections",
      split = ",",
      defaultValue = "1,4,16,64",
      paramLabel = "N",
      description = "Connections to a server (default: ${DEFAULT-VALUE}).")
  private List<Integer> connections = List.of();

  @Mixin private Timing timing = new Timing(5, 2);

  @Option(
      names = "--own-warmup",
      defaultValue = "20",
      description =
          "Seconds of load on the server of this build at first (default: " + "${DEFAULT-VALUE}).")
  private int ownWarmup;

  @Option(
      names = "--spring-warmup",
      defaultValue = "60",
      description = "Seconds of load on Spring Data before (default: ${DEFAULT-VALUE}).")
  private int springWarmup;

  @Mixin private ServerOptions options = new ServerOptions();

  @Mixin private PageOptions pages = new PageOptions();

  @Option(
      names = "--jmh",
      defaultValue = "",
      paramLabel = "ARGUMENTS",
      description = "More arguments of JMH, in one word (default: none).")
  private String jmh = "";

  @Option(
      names = "--database",
      paramLabel = "PORT",
      description =
          "The port on loopback of a MongoDB that runs already (default: .ci/secantus "
              + "starts one).")
  private @Nullable Integer database;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run("statements", this::measure);
  }

  private int measure(Servers servers, Path folder) throws IOException, InterruptedException {
    Path root = Servers.root();
    Ways.Baseline baseline =
        new Ways.Baseline(
            root.resolve("lab/baselines/statements"), root.resolve("server/target/gilmok.jar"));
    OverHttp overHttp =
        new OverHttp(
            new Stage(servers, baseline, root, folder, options.heap()),
            new OverHttp.Times(timing.seconds(), timing.warmup(), ownWarmup, springWarmup),
            sizes,
            connections,
            database,
            System.err::println);
    return pages.write(
        "statements",
        only == null ? EnumSet.allOf(Part.class) : only,
        part ->
            switch (part) {
              case WAYS -> new Ways(baseline, folder, sizes, words(jmh)).run();
              case CLIFF -> overHttp.cliff();
              case DATABASE -> overHttp.database();
              case SQLITE -> overHttp.sqlite();
            });
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }
}
