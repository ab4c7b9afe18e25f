package gilmok.lab.start;

import static gilmok.lab.start.Spread.fine;
import static gilmok.lab.start.Spread.whole;

import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures the comparisons: ways, limits of the warm-up, CPU limits. Not thread-safe. */
record WaysParts(Trials trials) {
  /** The results of several starts of the same kind. */
  private record Series(String name, List<Trials.First> firsts, List<Trials.Loaded> loads) {
    static final String HEAD =
        " | live, s | ready, s | first requests that hold | the longest, ms"
            + " | most times its steady | first second, requests/s | steady | ratio";

    Spread live() {
      return spread(
          firsts.stream().map(Trials.First::live).toList(),
          loads.stream().map(Trials.Loaded::live).toList());
    }

    Spread ready() {
      return spread(
          firsts.stream().map(Trials.First::ready).toList(),
          loads.stream().map(Trials.Loaded::ready).toList());
    }

    private static Spread spread(List<Double> some, List<Double> others) {
      List<Double> all = new ArrayList<>(some);
      all.addAll(others);
      return Spread.of(all);
    }

    Spread ratio() {
      return Spread.of(loads.stream().map(Trials.Loaded::ratio).toList());
    }

    Spread steady() {
      return Spread.of(loads.stream().map(Trials.Loaded::steady).toList());
    }

    Spread longest() {
      return Spread.of(firsts.stream().map(Trials.First::worstMillis).toList());
    }

    double throttled() {
      return Spread.of(loads.stream().map(Trials.Loaded::throttled).toList()).median();
    }

    List<String> row() {
      long held = firsts.stream().mapToLong(Trials.First::holding).sum();
      long all = firsts.stream().mapToLong(first -> first.figures().size()).sum();
      Spread times = Spread.of(firsts.stream().map(Trials.First::worstRatio).toList());
      Spread second = Spread.of(loads.stream().map(Trials.Loaded::firstSecond).toList());
      return List.of(
          name,
          live().worstHigh(),
          ready().worstHigh(),
          held + " of " + all,
          longest().worstHigh(),
          fine(times.most()),
          whole(second.median()),
          whole(steady().median()),
          ratio().worstLow());
    }

    BarChart.Bar bar(Spread spread, String unit) {
      return new BarChart.Bar(name, spread.median(), fine(spread.median()) + unit);
    }
  }

  private Series series(String name, Starter.Wish wish, int starts)
      throws IOException, InterruptedException {
    trials.say(name);
    return new Series(name, trials.firsts(wish, starts), trials.fulls(wish, starts));
  }

  private static List<BarChart.Panel> panels(List<Series> all) {
    return List.of(
        new BarChart.Panel(
            "start to ready, s", all.stream().map(one -> one.bar(one.ready(), " s")).toList()),
        new BarChart.Panel(
            "the longest first request, ms",
            all.stream().map(one -> one.bar(one.longest(), " ms")).toList()),
        new BarChart.Panel(
            "first second of full load to the steady rate",
            all.stream().map(one -> one.bar(one.ratio(), "")).toList()));
  }

  private String starts(int starts) {
    return starts
        + " starts for first requests and as many for full load ("
        + trials.times().connections()
        + " connections, one position a request); medians.";
  }

  /** Compares no warm-up, method calls, warm-up, both of these, AOT cache, and ours together. */
  Chapter ways(int starts) throws IOException, InterruptedException {
    List<Series> all = new ArrayList<>();
    for (WarmUpWay way : WarmUpWay.values()) {
      all.add(series(way.label(), Starter.Wish.of(way), starts));
    }
    List<List<String>> seconds = all.stream().map(Series::row).toList();
    return new Chapter(
        "ways",
        "Nothing, method calls, warm-up over HTTP, both, AOT cache, all of ours",
        Series.HEAD,
        seconds,
        List.of(),
        List.of(
            starts(starts),
            "method calls: the same process first calls decoders, log and keys by themselves for a"
                + " time (--calls), as the story did, and then serves; live and ready count from"
                + " the start of the process, so that time is in them.",
            WarmUpWay.MIXED.label()
                + ": the mix that the story chose. The process first calls methods, then serves,"
                + " and asks itself over HTTP before it is ready; without an AOT cache."),
        panels(all));
  }

  /**
   * Compares durations of the warm-up with the speed after it.
   *
   * @param limits limits of the warm-up, in seconds; 0: no warm-up
   */
  Chapter curve(List<Double> limits, int starts) throws IOException, InterruptedException {
    List<Series> all = new ArrayList<>();
    for (double limit : limits) {
      Starter.Wish wish = Starter.Wish.of(limit == 0 ? WarmUpWay.AOT : WarmUpWay.ALL);
      String name = limit == 0 ? "none" : fine(limit) + " s";
      all.add(series(name, limit == 0 ? wish : wish.with(limited(limit)), starts));
    }
    return new Chapter(
        "curve",
        "The time to ready against what it brings",
        Series.HEAD,
        all.stream().map(Series::row).toList(),
        List.of(),
        List.of(
            starts(starts),
            "The first column is warm-up.limit; a warm-up that is steady ends before."),
        panels(all));
  }

  private static List<String> limited(double seconds) {
    return List.of("--set", "warm-up.limit=" + Math.round(seconds * 1000) + "ms");
  }

  /** Measures with a fraction of a processor, like the pod of the original story; and with more. */
  Chapter pod(List<Double> processors) throws IOException, InterruptedException {
    List<Series> all = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    notes.add(starts(1));
    notes.add("The load is outside of the limit, and takes its part of the same processors.");
    try {
      for (double limit : processors) {
        for (WarmUpWay way : List.of(WarmUpWay.NOTHING, WarmUpWay.ALL)) {
          try (CpuGroup group = CpuGroup.limited("pod", limit)) {
            String name = fine(limit) + " processors, " + way.label();
            Series one = series(name, Starter.Wish.of(way).within(group), 1);
            all.add(one);
            notes.add(name + ": held up for " + fine(one.throttled()) + " s by then.");
          }
        }
      }
    } catch (CpuGroup.Forbidden here) {
      trials.say(String.valueOf(here.getMessage()));
      notes.add("Not measured: " + here.getMessage());
    }
    return new Chapter(
        "pod",
        "In 0.3 of a processor, as in the story, and in more",
        Series.HEAD,
        all.stream().map(Series::row).toList(),
        List.of(),
        notes,
        panels(all));
  }
}
