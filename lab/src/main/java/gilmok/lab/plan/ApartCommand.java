package gilmok.lab.plan;

import gilmok.lab.LoadProcess;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadReport;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.options.Timing;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab apart}: measures run sheets over HTTP, and how much constant planning slows down
 * collecting and health checks, in alternating rounds. Exits with 0 when the cost is within the
 * goal, else 1.
 */
@Command(
    name = "apart",
    description = {
      "Measure run sheets over HTTP: how long they take, and how they slow down " + "phones."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab apart                                        # about 6 minutes",
      "  gilmok lab apart --pairs 1 --seconds 5 --warmup 5       # about a minute"
    })
public final class ApartCommand implements Callable<Integer> {
  private static final double RATIO_TO_REACH = 1.5;
  private static final double P99_TO_REACH = 10;
  private static final double HEALTH_TO_REACH = 50;
  private static final int MEASURED_SECONDS = 10;

  @Mixin private KnownCases known = new KnownCases();

  @Option(
      names = "--runs",
      defaultValue = "3",
      description = "Runs of a file or set (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--budget",
      defaultValue = "2000",
      description = "Milliseconds for one case of a file or set (default: ${DEFAULT-VALUE}).")
  private long budget;

  @Option(
      names = "--pairs",
      defaultValue = "5",
      description = "Pairs, with planning and without (default: ${DEFAULT-VALUE}).")
  private int pairs;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description =
          "Positions a second, one a request (default: ${DEFAULT-VALUE}, half of what "
              + "a closed loop reaches).")
  private double rate;

  @Mixin private Timing timing = new Timing(15, 20);

  @Option(
      names = "--callers",
      defaultValue = "8",
      description =
          "Who ask for one plan after the other, 40 orders in 1 s (default: "
              + "${DEFAULT-VALUE}).")
  private int callers;

  @Option(
      names = "--process",
      defaultValue = "child",
      paramLabel = "VALUE",
      description = "The setting run-sheets.process (default: ${DEFAULT-VALUE}).")
  private String process = "";

  @Mixin private ServerOptions options = new ServerOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run("apart", this::measure);
  }

  private int measure(Servers servers, Path folder) throws IOException, InterruptedException {
    List<String> more = List.of("--set", "run-sheets.process=" + process);
    try (Subject gilmok = servers.gilmok(options.heap(), more)) {
      if (known.areNamed()) {
        ask(gilmok, known.read());
      }
      return pairs == 0 || isCheap(gilmok, folder) ? 0 : 1;
    }
  }

  /** Requests every run sheet once for each run; the first round is measured too. */
  private void ask(Subject gilmok, List<Case> cases) throws IOException, InterruptedException {
    Map<Integer, List<Planned>> byOrders = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    try (RunSheetClient caller = new RunSheetClient(gilmok)) {
      for (int run = 0; run < runs; run++) {
        for (Case one : cases) {
          Planned planned = caller.plan(one, budget);
          byOrders.computeIfAbsent(one.orders(), _ -> new ArrayList<>()).add(planned);
          boolean isUnknown = one.optimal() == 0;
          if (!planned.optimal() || !(isUnknown || planned.cost() == one.optimal())) {
            wrong.add(
                String.format(
                    Locale.ROOT,
                    isUnknown ? "%s: %3$s" : "%s: %.2f %% above, %s",
                    one.name(),
                    100.0 * (planned.cost() - one.optimal()) / Math.max(1, one.optimal()),
                    planned.optimal() ? "called optimal" : "not proven"));
          }
        }
      }
    }
    System.out.println("| orders | asked | server, median and most | caller, median and most |");
    System.out.println("|---|---|---|---|");
    byOrders.forEach(
        (orders, all) -> {
          List<Double> took = all.stream().map(Planned::tookMillis).sorted().toList();
          List<Double> waited = all.stream().map(Planned::waitedMillis).sorted().toList();
          System.out.printf(
              Locale.ROOT,
              "| %d | %d | %.1f, %.1f ms | %.1f, %.1f ms |%n",
              orders,
              all.size(),
              took.get(took.size() / 2),
              took.getLast(),
              waited.get(waited.size() / 2),
              waited.getLast());
        });
    System.out.printf("%d of them not the proven optimum %s%n", wrong.size(), wrong);
  }

  private boolean isCheap(Subject gilmok, Path folder) throws IOException, InterruptedException {
    double most = load(gilmok, folder, 0, timing.warmup(), MEASURED_SECONDS).requestsPerSecond();
    double half = rate == 0 ? most / 2 : rate;
    System.out.printf(Locale.ROOT, "closed loop: %,.0f requests/s; pairs at %,.0f/s%n", most, half);
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    double health = 0;
    for (int pair = 0; pair < pairs; pair++) {
      without.add(show("without", load(gilmok, folder, half, 3, timing.seconds())));
      try (Saturation planning = Saturation.begin(gilmok, callers)) {
        with.add(show("with", load(gilmok, folder, half, 3, timing.seconds())));
        health = Math.max(health, planning.healthMillisMax());
        System.out.printf(Locale.ROOT, "         %s%n", planning.summary());
      }
      ratios.add(with.getLast() / without.getLast());
    }
    System.out.printf(
        Locale.ROOT,
        "p99 %.2f ms with, %.2f without; ratio %.2f, median of %s (to reach: %.1f);"
            + " slowest health answer %.1f ms (to reach: %.0f)%n",
        Figures.median(with),
        Figures.median(without),
        Figures.median(ratios),
        ratios.stream().map(ratio -> String.format(Locale.ROOT, "%.2f", ratio)).toList(),
        RATIO_TO_REACH,
        health,
        HEALTH_TO_REACH);
    return Figures.median(ratios) <= RATIO_TO_REACH
        && Figures.median(with) < P99_TO_REACH
        && health < HEALTH_TO_REACH;
  }

  private static double show(String name, LoadReport taken) {
    System.out.printf(
        Locale.ROOT,
        "%-8s %,.0f positions/s, p50 %.2f, p99 %.2f, most %.1f ms; server %.2f cores, load %.2f,"
            + " others %.2f%n",
        name,
        taken.requestsPerSecond(),
        taken.p50(),
        taken.p99(),
        taken.max(),
        taken.serverCores(),
        taken.loadCores(),
        taken.otherCores());
    return taken.p99();
  }

  private static LoadReport load(
      Subject gilmok, Path folder, double rate, double warmup, double seconds)
      throws IOException, InterruptedException {
    return LoadProcess.run(gilmok, folder, LoadProcess.Plan.of(10_000, rate, warmup, seconds));
  }
}
