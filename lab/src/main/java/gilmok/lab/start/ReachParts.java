package gilmok.lab.start;

import static gilmok.lab.start.Spread.fine;
import static gilmok.lab.start.Spread.whole;

import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures the goals of a start, part by part, with the AOT cache and the warm-up. Not thread-safe.
 */
final class ReachParts {
  private static final double LIVE_MAX = 1;
  private static final double COLLECT_READY_MAX = 12;
  private static final double ALL_READY_MAX = 20;
  private static final double RATIO_MIN = 0.8;
  private static final double P99_TIMES_MAX = 2;
  private static final int FIRST_SECONDS = 10;
  private static final Starter.Wish WISH = Starter.Wish.of(WarmUpWay.ALL);

  private final Trials trials;

  /** The steady rate of full load, after it was measured. */
  private @Nullable Double steadyRate;

  ReachParts(Trials trials) {
    this.trials = trials;
  }

  /** The times from the process' start to live and to ready. */
  Chapter times() throws IOException, InterruptedException {
    int starts = trials.times().starts();
    Map<String, List<double[]>> taken = new LinkedHashMap<>();
    trials.say("all parts");
    taken.put("all parts", trials.times(WISH.askedEvery(10), starts));
    trials.say("collecting only");
    taken.put(
        "collecting only",
        trials.times(WISH.askedEvery(10).with(List.of("--only", "collect")), starts));
    List<List<String>> rows = new ArrayList<>();
    List<Chapter.Verdict> verdicts = new ArrayList<>();
    List<BarChart.Bar> lives = new ArrayList<>();
    List<BarChart.Bar> readies = new ArrayList<>();
    for (Map.Entry<String, List<double[]>> one : taken.entrySet()) {
      String name = one.getKey();
      Spread live = Spread.of(one.getValue().stream().map(both -> both[0]).toList());
      Spread ready = Spread.of(one.getValue().stream().map(both -> both[1]).toList());
      double readyMax = name.startsWith("all") ? ALL_READY_MAX : COLLECT_READY_MAX;
      rows.add(row(name, "live", live));
      rows.add(row(name, "ready", ready));
      verdicts.add(atMost("start to live, " + name + ", s", LIVE_MAX, live));
      verdicts.add(atMost("start to ready, " + name + ", s", readyMax, ready));
      lives.add(new BarChart.Bar(name, live.median(), live.worstHigh() + " s"));
      readies.add(new BarChart.Bar(name, ready.median(), ready.worstHigh() + " s"));
    }
    return new Chapter(
        "times",
        "From the start of the process to live and to ready",
        "parts | until | least, s | median, s | most, s",
        rows,
        verdicts,
        List.of(
            starts
                + " starts each; asked every 5 ms whether it is live, every 10 ms whether ready."),
        List.of(
            new BarChart.Panel("start to live, s", lives),
            new BarChart.Panel("start to ready, s", readies)));
  }

  private static List<String> row(String parts, String until, Spread spread) {
    return List.of(parts, until, fine(spread.least()), fine(spread.median()), fine(spread.most()));
  }

  private static Chapter.Verdict atMost(String what, double bound, Spread spread) {
    String reach = "under " + whole(bound);
    return new Chapter.Verdict(what, reach, spread.worstHigh(), spread.most() < bound);
  }

  /** The first request of every route and branch, by a protocol. */
  Chapter first(Protocol protocol) throws IOException, InterruptedException {
    Starter.Wish wish = WISH.by(protocol);
    return FirstChapter.of(protocol, trials.firsts(wish, trials.times().starts()), trials.times());
  }

  /** The first second of full load. */
  Chapter second() throws IOException, InterruptedException {
    List<Trials.Loaded> all = trials.fulls(WISH, trials.times().starts());
    Spread ratio = Spread.of(all.stream().map(Trials.Loaded::ratio).toList());
    Spread steady = Spread.of(all.stream().map(Trials.Loaded::steady).toList());
    steadyRate = steady.median();
    List<List<String>> rows = new ArrayList<>();
    List<BarChart.Bar> bars = new ArrayList<>();
    for (int i = 0; i < trials.times().seconds(); i++) {
      int second = i;
      Spread rate = Spread.of(all.stream().map(one -> rate(one, second)).toList());
      String name = "second " + (i + 1);
      rows.add(List.of(name, whole(rate.least()), whole(rate.median()), whole(rate.most())));
      bars.add(new BarChart.Bar(name, rate.median(), whole(rate.median()) + "/s"));
    }
    long errors = all.stream().filter(one -> !one.taken().errors().isEmpty()).count();
    return new Chapter(
        "second",
        "The first second of full load after ready",
        " | least, requests/s | median | most",
        rows,
        List.of(
            new Chapter.Verdict(
                "first second to the steady rate",
                "at least " + RATIO_MIN,
                ratio.worstLow(),
                ratio.least() >= RATIO_MIN),
            new Chapter.Verdict(
                "starts with an answer that was none", "0", Long.toString(errors), errors == 0)),
        List.of(
            all.size() + " starts; one position a request, " + connections() + ", a closed loop.",
            "steady: the median of the last three seconds.",
            "The load comes from a process that has been warm since the starts before."),
        List.of(new BarChart.Panel("requests in each second after ready, median", bars)));
  }

  private static double rate(Trials.Loaded loaded, int second) {
    return loaded.taken().rates().get(second);
  }

  private String connections() {
    return trials.times().connections() + " connections";
  }

  /** The p99 at half load. */
  Chapter half() throws IOException, InterruptedException {
    double rate = steadyRate() / 2;
    trials.say("half load: %,.0f requests/s".formatted(rate));
    int last = trials.times().halfSeconds();
    int from = Math.min(FIRST_SECONDS, last - 1);
    List<List<String>> rows = new ArrayList<>();
    List<Double> times = new ArrayList<>();
    List<BarChart.Bar> bars = new ArrayList<>();
    for (int i = 1; i <= trials.times().fewStarts(); i++) {
      Trials.Loaded loaded = trials.loaded(WISH, rate, last);
      double early = loaded.taken().p99(0, from);
      double late = loaded.taken().p99(from, last);
      times.add(early / late);
      String worst = fine(worstSecond(loaded, from));
      rows.add(List.of("start " + i, fine(early), worst, fine(late), fine(early / late)));
      bars.add(new BarChart.Bar("start " + i + ", first 10 s", early, fine(early) + " ms"));
      bars.add(new BarChart.Bar("later", late, fine(late) + " ms"));
      trials.say("p99 %.2f ms in the first 10 s, %.2f ms later".formatted(early, late));
    }
    Spread spread = Spread.of(times);
    return new Chapter(
        "half",
        "The p99 at half load after ready",
        " | first 10 s, ms | worst second of them | later, ms | times",
        rows,
        List.of(
            new Chapter.Verdict(
                "p99 of the first 10 s to the later one",
                "at most " + P99_TIMES_MAX,
                spread.worstHigh(),
                spread.most() <= P99_TIMES_MAX)),
        List.of(
            "An open loop at %,.0f requests/s, half of the steady rate, on %s; latency counts from"
                    .formatted(rate, connections())
                + " when a request was due.",
            "later: the seconds from " + from + " to " + last + "."),
        List.of(new BarChart.Panel("p99, ms", bars)));
  }

  private static double worstSecond(Trials.Loaded loaded, int until) {
    double worst = 0;
    for (int i = 0; i < until; i++) {
      worst = Math.max(worst, loaded.taken().p99(i, i + 1));
    }
    return worst;
  }

  private double steadyRate() throws IOException, InterruptedException {
    Double known = steadyRate;
    if (known == null) {
      known = trials.full(WISH).steady();
      steadyRate = known;
    }
    return known;
  }
}
