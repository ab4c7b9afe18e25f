package gilmok.lab.capacity;

import gilmok.lab.Servers;
import gilmok.lab.load.LoadReport;
import gilmok.lab.options.PageOptions;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.options.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab capacity}: measures the whole table and writes it as a page with a plot. Exits with 0
 * when all goals were reached, 1 when one was missed.
 */
@Command(
    name = "capacity",
    description = {
      "Measure the server against its goals, beside a bare endpoint and WebFlux, "
          + "with a table and a plot."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab capacity --only ONE --rounds 1 --seconds 5 --warmup 5",
      "  gilmok lab capacity                                           # 20 minutes"
    })
public final class CapacityCommand implements Callable<Integer> {
  private static final String HEAD =
      " | server | requests/s | positions/s | p50 | p99 | p99.9 | max | server µs"
          + " | cores | load µs | cores | others | ";
  private static final String SERVER_ARGUMENTS = "--set log.retention=10s";

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = "Only these of ${COMPLETION-CANDIDATES} (default: all).")
  private @Nullable Set<CapacityRun.Part> only;

  @Mixin private Timing timing = new Timing(20, 20);

  @Option(
      names = "--webflux-warmup",
      defaultValue = "120",
      description = "Seconds of load on WebFlux before (default: ${DEFAULT-VALUE}).")
  private int webfluxWarmup;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Mixin private ServerOptions options = new ServerOptions();

  @Mixin private PageOptions pages = new PageOptions();

  @Option(
      names = "--server-args",
      defaultValue = SERVER_ARGUMENTS,
      paramLabel = "ARGUMENTS",
      description = "More arguments of serve, in one word (default: \"${DEFAULT-VALUE}\").")
  private String serverArguments = "";

  @Option(
      names = "--load-threads",
      defaultValue = "1",
      description = "Event loops of the load (default: ${DEFAULT-VALUE}).")
  private int loadThreads;

  @Option(
      names = "--server-jar",
      paramLabel = "FILE",
      description = "The server (default: server/target/gilmok-all.jar).")
  private @Nullable Path serverJar;

  @Option(
      names = "--webflux-jar",
      paramLabel = "FILE",
      description = "WebFlux (default: lab/baselines/webflux/target/webflux.jar).")
  private @Nullable Path webfluxJar;

  @Option(
      names = "--port",
      defaultValue = "18200",
      description = "The first port to listen on (default: ${DEFAULT-VALUE}).")
  private int port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run("capacity", (_, folder) -> measure(folder));
  }

  private int measure(Path folder) throws IOException, InterruptedException {
    Path root = Servers.root();
    Bench.Setup setup =
        new Bench.Setup(
            serverJar == null ? root.resolve("server/target/gilmok-all.jar") : serverJar,
            Servers.ownJar(),
            webfluxJar == null
                ? root.resolve("lab/baselines/webflux/target/webflux.jar")
                : webfluxJar,
            options.heap(),
            List.of(serverArguments.trim().split("\\s+")),
            loadThreads,
            port);
    CapacityRun.Times times =
        new CapacityRun.Times(
            timing.seconds(), timing.warmup(), webfluxWarmup, Math.max(1, rounds));
    return pages.write(
        "capacity",
        List.of(only == null ? EnumSet.allOf(CapacityRun.Part.class) : only),
        parts -> {
          Bench bench = new Bench(setup, folder, System.err::println);
          return chapter(new CapacityRun(bench, times, parts, System.err::println).run());
        });
  }

  static Chapter chapter(List<Finding> findings) {
    return new Chapter(
        "table",
        "Capacity",
        HEAD,
        findings.stream()
            .flatMap(finding -> finding.rounds().stream().distinct().map(one -> row(finding, one)))
            .toList(),
        findings.stream().map(Finding::verdict).toList(),
        List.of(
            "Every round; milliseconds. Processor time in µs a request, and in cores; \"others\" is"
                + " what neither used."),
        panels(findings));
  }

  private static List<String> row(Finding finding, Measurement round) {
    LoadReport report = round.report();
    return List.of(
        finding.what(),
        round.subject(),
        Figures.whole(report.requestsPerSecond()),
        Figures.whole(report.positionsPerSecond()),
        Figures.fine(report.p50()),
        Figures.fine(report.p99()),
        Figures.fine(report.latency("p99.9")),
        Figures.fine(report.max()),
        Figures.fine(report.serverMicrosPerRequest()),
        Figures.fine(report.serverCores()),
        Figures.fine(report.loadMicrosPerRequest()),
        Figures.fine(report.loadCores()),
        Figures.fine(report.otherCores()),
        round.valid() ? "" : "VOID " + report.errorKinds());
  }

  private static List<BarChart.Panel> panels(List<Finding> findings) {
    List<BarChart.Bar> rates = new ArrayList<>();
    List<BarChart.Bar> latencies = new ArrayList<>();
    for (Finding finding : findings) {
      Map<String, List<Measurement>> bySubject = new LinkedHashMap<>();
      for (Measurement round : finding.rounds()) {
        bySubject.computeIfAbsent(round.subject(), s -> new ArrayList<>()).add(round);
      }
      if (finding.what().startsWith("memory")) {
        continue;
      }
      bySubject.forEach(
          (subject, measured) -> {
            Measurement median = Measurement.median(measured);
            String label = shortened(finding.what()) + ": " + subject;
            double rate = median.requestsPerSecond();
            rates.add(new BarChart.Bar(label, rate, String.format("%,.0f/s", rate)));
            latencies.add(
                new BarChart.Bar(label, median.p99(), String.format("%.2f ms", median.p99())));
          });
    }
    return List.of(
        new BarChart.Panel("requests a second (median round)", rates),
        new BarChart.Panel("p99 in milliseconds (median round)", latencies));
  }

  private static String shortened(String words) {
    return words.length() <= 40 ? words : words.substring(0, 39) + "…";
  }
}
