package gilmok.lab.sinks;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadReport;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the baseline: one record in each call, with the phone waiting for it, against the same
 * slow stand-in.
 */
record OneByOne(ShipBench bench) {
  private static final int POOL = 50;

  /**
   * Measures it at half of its own highest rate, which is in its favour.
   *
   * @param faults the faults of the stand-in
   * @param ours the result of this server with such a stand-in
   */
  ShipFinding measure(List<String> faults, Beside.Outcome ours)
      throws IOException, InterruptedException {
    int port = Servers.freePort();
    try (Subject standIn = bench.standIn(faults);
        Subject old = start(port, standIn)) {
      ShipBench.Times times = bench.times();
      LoadReport highest =
          bench.load("one by one, highest", old, 0, times.warmup(), times.seconds());
      double rate = Math.max(1, Math.floor(highest.requestsPerSecond() / 2));
      List<LoadReport> rounds = new ArrayList<>();
      for (int round = 0; round < times.rounds(); round++) {
        rounds.add(bench.load("one by one", old, rate, 2, times.seconds()));
      }
      double p99 = Figures.median(rounds, LoadReport::p99);
      return new ShipFinding(
          "as of old: each request waits for a call of its own, " + POOL + " connections",
          "",
          String.format(
              Locale.ROOT,
              "at most %,.0f requests/s (p50 %,.0f, p99 %,.0f ms); at half of that p50 %.0f, p99"
                  + " %.0f, longest %,.0f ms: p99 %.0f times ours, which is at %.0f times the rate",
              highest.requestsPerSecond(),
              highest.p50(),
              highest.p99(),
              Figures.median(rounds, LoadReport::p50),
              p99,
              Figures.median(rounds, LoadReport::max),
              p99 / ours.p99(),
              ours.rate() / rate),
          true,
          Map.of("highest", highest, "rounds", rounds, "ratio", p99 / ours.p99()));
    }
  }

  private Subject start(int port, Subject standIn) throws IOException, InterruptedException {
    return bench
        .servers()
        .lab(
            "one-by-one",
            port,
            List.of(
                "one-by-one",
                "--port",
                Integer.toString(port),
                "--pool",
                Integer.toString(POOL),
                "--firehose",
                standIn.url()));
  }
}
