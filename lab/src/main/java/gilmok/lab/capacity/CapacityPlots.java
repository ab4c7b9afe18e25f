package gilmok.lab.capacity;

import gilmok.lab.report.LinePlot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the plots of a report show. Stateless. */
final class CapacityPlots {
  private CapacityPlots() {}

  /** Latency and processors of each step, by the rate that was offered. */
  static List<LinePlot.Panel> byRate(CapacityReport report) {
    List<LoadStep> steps =
        report.steps().stream()
            .filter(step -> !List.of("hold", "overload", "recovery").contains(step.what()))
            .sorted(Comparator.comparingDouble(step -> step.rates().offered()))
            .toList();
    List<Double> places = steps.stream().map(step -> step.rates().offered()).toList();
    String axis =
        places.isEmpty()
            ? ""
            : String.format(Locale.ROOT, "exchanges/s, to %,.0f", places.getLast());
    List<LinePlot.Line> latencies = new ArrayList<>();
    for (String name : List.of("p99", "p90", "p50")) {
      // A step far beyond the limit would flatten all others.
      double most = 4 * report.environment().goals().p99Millis();
      latencies.add(
          new LinePlot.Line(
              name,
              steps.stream()
                  .map(step -> Math.min(most, step.latencyMillis().getOrDefault(name, 0.0)))
                  .toList()));
    }
    return List.of(
        new LinePlot.Panel("milliseconds, cut at four times the goal", axis, places, latencies),
        new LinePlot.Panel(
            "processors",
            axis,
            places,
            List.of(
                new LinePlot.Line("server", steps.stream().map(s -> s.cores().server()).toList()),
                new LinePlot.Line("load", steps.stream().map(s -> s.cores().load()).toList()))));
  }

  /** Every resource, second by second, on one time axis. */
  static List<LinePlot.Panel> overTime(CapacityReport report) {
    Map<String, List<Double>> all = report.series();
    List<Double> places = all.getOrDefault("seconds", List.of());
    String axis =
        places.isEmpty() ? "" : String.format(Locale.ROOT, "second %.0f", places.getLast());
    List<LinePlot.Panel> panels = new ArrayList<>();
    panels.add(panel(all, places, axis, "answers a second", "answers/s", "refusals/s"));
    panels.add(panel(all, places, axis, "milliseconds", "p99 ms", "p50 ms"));
    panels.add(
        panel(
            all,
            places,
            axis,
            "processors",
            "cores busy",
            "cores server",
            "cores load",
            "cores stolen"));
    panels.add(
        panel(
            all,
            places,
            axis,
            "processors of the server, by part",
            "cores event-loops",
            "cores virtual-threads",
            "cores log",
            "cores documents",
            "cores sinks",
            "cores loops",
            "cores gc",
            "cores compiler"));
    panels.add(
        panel(all, places, axis, "forced writes, ms", "fsync ms", "commit ms", "database ms"));
    panels.add(
        panel(
            all,
            places,
            axis,
            "share of the time",
            "fsync share",
            "commit share",
            "pause share",
            "lock wait s/s"));
    panels.add(panel(all, places, axis, "MB", "heap after gc MB"));
    panels.add(panel(all, places, axis, "MB/s", "disk MB/s", "network MB/s"));
    panels.add(panel(all, places, axis, "requests in flight", "in flight"));
    panels.add(panel(all, places, axis, "slowest sink, seconds behind", "sink behind s"));
    return panels;
  }

  private static LinePlot.Panel panel(
      Map<String, List<Double>> all,
      List<Double> places,
      String axis,
      String title,
      String... names) {
    return new LinePlot.Panel(
        title,
        axis,
        places,
        List.of(names).stream()
            .map(name -> new LinePlot.Line(name, all.getOrDefault(name, List.of())))
            .toList());
  }
}
