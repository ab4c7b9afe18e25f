package gilmok.lab.sinks;

import gilmok.lab.Subject;
import gilmok.lab.load.LoadReport;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what shipping costs the phones: a server with sinks and one without are loaded in turn,
 * at a share of the highest rate of the one without.
 */
record Beside(ShipBench bench) {
  private static final Duration EMPTY_WAIT = Duration.ofMinutes(5);
  private static final double RATIO_TO_REACH = 1.5;
  private static final double LAG_SECONDS_TO_REACH = 2;
  private static final int IDLE_WARMUP_SECONDS = 10;

  /**
   * The results.
   *
   * @param rate requests a second at which both were loaded
   * @param p99 the median p99 of the phones' requests with sinks, in milliseconds
   */
  record Outcome(List<ShipFinding> findings, double rate, double p99) {}

  /**
   * Measures one configuration of sinks.
   *
   * @param name its name in the report
   * @param sinks arguments of the server with sinks
   * @param watchesLag whether its lag must be short too
   */
  Outcome measure(String name, List<String> sinks, boolean watchesLag)
      throws IOException, InterruptedException {
    List<String> plain = ShipBench.set("log.retention=10s");
    List<String> shipping = new ArrayList<>(plain);
    shipping.addAll(sinks);
    try (Subject without = bench.server(bench.work().resolve(name + "-without"), plain);
        Subject with = bench.server(bench.work().resolve(name + "-with"), shipping);
        LedgerClient account = new LedgerClient(with);
        LagWatch watch = new LagWatch(account)) {
      ShipBench.Times times = bench.times();
      LoadReport highest = bench.load("highest rate", without, 0, times.warmup(), times.seconds());
      double rate = Math.floor(highest.requestsPerSecond() * bench.share());
      bench.load("warming " + name, with, 0, times.warmup(), 1);
      account.awaitEmpty(EMPTY_WAIT);
      List<LoadReport> alone = new ArrayList<>();
      List<LoadReport> beside = new ArrayList<>();
      for (int pair = 0; pair < times.pairs(); pair++) {
        alone.add(bench.load("no sink", without, rate, IDLE_WARMUP_SECONDS, times.seconds()));
        watch.pause(false);
        beside.add(bench.load(name, with, rate, IDLE_WARMUP_SECONDS, times.seconds()));
        watch.pause(true);
        // Otherwise waiting records would still be shipped while the server without sinks is
        // measured.
        account.awaitEmpty(EMPTY_WAIT);
      }
      account.requireBalance();
      return outcome(name, rate, alone, beside, watchesLag ? watch.worst() : Map.of());
    }
  }

  private static Outcome outcome(
      String name,
      double rate,
      List<LoadReport> alone,
      List<LoadReport> beside,
      Map<String, Double> lags) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < alone.size(); i++) {
      ratios.add(beside.get(i).p99() / alone.get(i).p99());
    }
    double ratio = Figures.median(ratios);
    double p99 = Figures.median(beside, LoadReport::p99);
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("requestsPerSecond", rate);
    numbers.put("p99Ratios", ratios);
    numbers.put("without", alone);
    numbers.put("with", beside);
    List<ShipFinding> findings = new ArrayList<>();
    findings.add(
        new ShipFinding(
            "phones' p99 with " + name,
            String.format(Locale.ROOT, "at most %.1f of that with no sink", RATIO_TO_REACH),
            String.format(
                Locale.ROOT,
                "%.2f at %,.0f requests/s: p50 %.2f and %.2f ms, p99 %.2f and %.2f ms; server %.2f"
                    + " and %.2f cores, load %.2f, others %.2f (where sinks lead to, with them)",
                ratio,
                rate,
                Figures.median(beside, LoadReport::p50),
                Figures.median(alone, LoadReport::p50),
                p99,
                Figures.median(alone, LoadReport::p99),
                Figures.median(beside, LoadReport::serverCores),
                Figures.median(alone, LoadReport::serverCores),
                Figures.median(beside, LoadReport::loadCores),
                Figures.median(beside, LoadReport::otherCores)),
            ratio <= RATIO_TO_REACH,
            numbers));
    lags.forEach(
        (sink, lag) ->
            findings.add(
                new ShipFinding(
                    "worst lag of " + sink,
                    String.format(Locale.ROOT, "under %.0f s", LAG_SECONDS_TO_REACH),
                    String.format(Locale.ROOT, "%.2f s", lag),
                    lag < LAG_SECONDS_TO_REACH,
                    Map.of("lagSeconds", lag))));
    return new Outcome(findings, rate, p99);
  }
}
