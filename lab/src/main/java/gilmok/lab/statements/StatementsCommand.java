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
      "Measures statements beside Spring Data, a table and a plot each.",
      "To build that: mvn -q -f lab/baselines/statements package",
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
  /** The parts of the measurement. */
  enum Part {
    WAYS,
    CLIFF,
    DATABASE,
    SQLITE
  }

  @Option(names = "--only", split = ",", description = "some of: ${COMPLETION-CANDIDATES}")
  private @Nullable Set<Part> only;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "200,300,1000,2000",
      description = "entries of a rider: ${DEFAULT-VALUE}")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--connections",
      split = ",",
      defaultValue = "1,4,16,64",
      description = "${DEFAULT-VALUE}")
  private List<Integer> connections = List.of();

  @Mixin private Timing timing = new Timing(5, 2);

  @Option(names = "--own-warmup", defaultValue = "20", description = "at first: ${DEFAULT-VALUE}")
  private int ownWarmup;

  @Option(names = "--spring-warmup", defaultValue = "60", description = "${DEFAULT-VALUE}")
  private int springWarmup;

  @Mixin private ServerOptions options = new ServerOptions();

  @Mixin private PageOptions pages = new PageOptions();

  @Option(names = "--jmh", defaultValue = "", description = "more arguments of JMH, in one word")
  private String jmh = "";

  @Option(
      names = "--database",
      description = "the port on loopback of a MongoDB that runs already; else .ci/secantus starts")
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
