package gilmok.lab.missions;

import gilmok.lab.Subject;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Chapter.Verdict;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures an expiry of one key under load: how often the source is loaded, and the latency of the
 * requests meanwhile; in one process, and in three that share Redis and a database. Not
 * thread-safe.
 */
final class ExpiryPart {
  /** The short time to live of cached values in this part. */
  static final double TTL_SECONDS = 1;

  static final String SHORT = "missions.cache.ttl=1s";

  private static final String LONG = "missions.cache.ttl=1h";
  private static final double RATIO = 1.5;
  private static final int TOGETHER = 3;

  private static final String HEAD =
      "processes | pair | loads, of expiries | p50 ms, expiring and not"
          + " | p99 ms, expiring and not | ratio of p99 | answers/s | server µs"
          + " | load, processors | errors";

  private final Rig rig;
  private final double rate;
  private final int pairs;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final List<BarChart.Bar> bars = new ArrayList<>();

  /**
   * A part with its load.
   *
   * @param rate requests a second for the one key, over all processes
   */
  ExpiryPart(Rig rig, double rate, int pairs) {
    this.rig = rig;
    this.rate = rate;
    this.pairs = pairs;
  }

  /**
   * The most loads in a time with one load for each expiry: an early refresh starts the next life
   * sooner.
   */
  static double loadsMax(double seconds) {
    return Math.ceil(seconds / (0.9 * TTL_SECONDS)) + 1;
  }

  /** The fewest loads in a time: every value lives to its end. */
  static double loadsMin(double seconds) {
    return Math.floor(seconds / TTL_SECONDS) - 1;
  }

  Chapter run() throws IOException, InterruptedException {
    try (Group expiring = Group.start(rig, 1, List.of(SHORT));
        Group lasting = Group.start(rig, 1, List.of(LONG))) {
      rig.fill(expiring.first(), 1);
      rig.fill(lasting.first(), 1);
      pairs("one process", expiring, lasting);
    }
    try (Subject own = rig.database();
        Subject redis = rig.redis()) {
      String shared = rig.shared(own);
      String shares = Rig.shares(redis);
      List<String> some = List.of(SHORT, shared, shares, "redis.prefix=short");
      List<String> others = List.of(LONG, shared, shares, "redis.prefix=long");
      try (Group expiring = Group.start(rig, TOGETHER, some);
          Group lasting = Group.start(rig, TOGETHER, others)) {
        rig.fill(expiring.first(), 1);
        pairs("three with Redis", expiring, lasting);
      }
    }
    return new Chapter(
        "expiry",
        "An expiry under " + Figures.whole(rate) + " requests/s for one key",
        HEAD,
        rows,
        verdicts,
        List.of(
            "What is cached lives for 1 s, or for 1 h; loads are the servers' own count, over the"
                + " warm-up too. An early refresh begins the next life sooner: up to a tenth of a"
                + " life is granted for that, and one load at the beginning.",
            "Servers, Redis, the database and the load share this machine's processors."),
        List.of(new BarChart.Panel("p99, milliseconds", bars)));
  }

  private void pairs(String processes, Group expiring, Group lasting)
      throws IOException, InterruptedException {
    Rig.Times times = rig.times();
    rig.tell("warming up");
    for (Group group : List.of(expiring, lasting)) {
      rig.asking(group.servers(), 1, "gzip").warm(rate, times.ownWarmup());
    }
    List<Double> ratios = new ArrayList<>();
    boolean isOne = true;
    long errors = 0;
    List<String> counts = new ArrayList<>();
    for (int pair = 1; pair <= pairs; pair++) {
      final double before = Rig.loads(expiring.servers());
      RunResult with = measure(expiring);
      final double loads = Rig.loads(expiring.servers()) - before;
      RunResult without = measure(lasting);
      double seconds = times.warmup() + times.seconds();
      double expiries = seconds / TTL_SECONDS;
      isOne &= loads <= loadsMax(seconds) && loads >= loadsMin(seconds);
      double ratio = with.p99() / without.p99();
      ratios.add(ratio);
      errors += with.errorCount() + without.errorCount();
      counts.add(Figures.whole(loads));
      String name = processes + ", pair " + pair;
      rig.tell(name + "  loads " + loads + "  " + with.text() + "  not: " + without.text());
      rows.add(row(processes, pair, loads, expiries, with, without));
      bars.add(Figures.bar(name + ", expiring", with.p99(), "ms"));
      bars.add(Figures.bar(name + ", not", without.p99(), "ms"));
    }
    double middle = Figures.median(ratios);
    double seconds = times.warmup() + times.seconds();
    verdicts.add(
        new Verdict(
            processes + ": loads in " + Figures.whole(seconds / TTL_SECONDS) + " expiries",
            "1 each",
            String.join(", ", counts),
            isOne));
    verdicts.add(
        new Verdict(
            processes + ": p99 to that of no expiry, median of " + pairs + " pairs",
            "at most 1.5",
            Figures.fine(middle),
            middle <= RATIO));
    verdicts.add(new Verdict(processes + ": errors", "none", Long.toString(errors), errors == 0));
  }

  private RunResult measure(Group group) throws IOException, InterruptedException {
    Rig.Times times = rig.times();
    Load load = rig.asking(group.servers(), 1, "gzip").at(rate, times.warmup(), times.seconds());
    return load.run(List.of(LoadRun.Watch.processor(group.servers())));
  }

  private static List<String> row(
      String processes,
      int pair,
      double loads,
      double expiries,
      RunResult with,
      RunResult without) {
    return List.of(
        processes,
        Integer.toString(pair),
        Figures.whole(loads) + " of " + Figures.whole(expiries),
        Figures.fine(with.p50()) + " · " + Figures.fine(without.p50()),
        Figures.fine(with.p99()) + " · " + Figures.fine(without.p99()),
        Figures.fine(with.p99() / without.p99()),
        Figures.whole(with.perSecond()),
        Figures.fine(with.watched().getFirst() / 1e3 / Math.max(1, with.answers())),
        Figures.fine(with.cores()),
        with.errorCount() + " · " + without.errorCount());
  }
}
