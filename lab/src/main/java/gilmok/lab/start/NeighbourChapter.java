package gilmok.lab.start;

import static gilmok.lab.start.Spread.fine;
import static gilmok.lab.start.Spread.whole;

import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Writes starts beside a busy neighbour, and without one, as a page. Stateless. */
final class NeighbourChapter {
  private NeighbourChapter() {}

  /**
   * One way to start in one situation.
   *
   * @param live seconds from the process' start
   * @param ready seconds from the process' start
   */
  record Row(String name, Spread live, Spread ready, Firsts firsts, Answers answers, Seen seen) {}

  /**
   * The first request of each kind.
   *
   * @param held how many were within their bound
   * @param unexpected how many were not answered as their script says, such as refused ones
   * @param worst the longest, in milliseconds
   */
  record Firsts(long held, long all, long unexpected, double worst) {}

  /** How long requests at a small fixed rate took, in milliseconds. */
  record Answers(double p50, double p99, double most) {}

  /**
   * What was seen of it.
   *
   * @param server the processors that the server had on average until it was ready
   * @param neighbour those that the neighbour had in that time; 0 without one
   * @param told by the server's metrics
   */
  record Seen(double server, double neighbour, Told told) {}

  /**
   * What the server's metrics tell at the end of the load.
   *
   * @param processors that Java sees
   * @param throttledPeriods of the control group
   * @param lag the longest of an event loop, in milliseconds
   * @param pressure the share of the load's time in which some thread of the machine waited for a
   *     processor, 0 to 1; NaN if the kernel does not say
   * @param machineUsage the share of the machine's processors in use, 0 to 1
   */
  record Told(
      double processors,
      double throttledPeriods,
      double lag,
      double pressure,
      double machineUsage) {}

  /**
   * What was done.
   *
   * @param asked the processors that the server asked for
   * @param neighbour those that the neighbour asked for
   * @param processors of the machine
   * @param rate requests a second
   * @param seconds of them
   */
  record Plan(double asked, double neighbour, int processors, int rate, int seconds) {
    private double due(double server) {
      return CpuWeight.asking(server).due(CpuWeight.asking(neighbour), processors);
    }
  }

  /**
   * The page.
   *
   * @param more further notes
   */
  static Chapter of(Plan plan, List<Row> rows, List<String> more) {
    List<String> notes = new ArrayList<>(notes(plan));
    rows.forEach(row -> notes.add(row.name + ": " + told(row.seen.told)));
    notes.addAll(more);
    return new Chapter(
        "request",
        "Asked for "
            + plain(plan.asked)
            + " of a processor without a limit, beside a busy neighbour",
        " | live, s | ready, s | processors until ready: server | neighbour"
            + " | first requests that hold | refused | the longest, ms"
            + " | then %d/s, ms: p50 | p99 | the longest".formatted(plan.rate)
            + " | Java sees | throttled periods",
        rows.stream().map(NeighbourChapter::cells).toList(),
        List.of(),
        notes,
        rows.isEmpty()
            ? List.of()
            : List.of(
                panel("start to ready, s", rows, row -> row.ready.median()),
                panel("the longest first request, ms", rows, row -> row.firsts.worst),
                panel("p99 at %d/s, ms".formatted(plan.rate), rows, row -> row.answers.p99)));
  }

  private static List<String> notes(Plan plan) {
    return List.of(
        "A start for first requests and one for the load in each row: one position a request, %d"
                .formatted(plan.rate)
            + " a second for %d s from ready; latency counts from when a request was due."
                .formatted(plan.seconds),
        "Who asks gets the weight that Kubernetes makes of it, and no limit: %s; %s."
                .formatted(weight(plan.asked), weight(1))
            + " The neighbour has asked for %s, and has a process in a loop for each of the %d"
                .formatted(plain(plan.neighbour), plan.processors)
            + " processors.",
        "While both want all of them, %s are due to a server that has asked for %s, %s to one that"
                .formatted(fine(plan.due(plan.asked)), plain(plan.asked), fine(plan.due(1)))
            + " has asked for 1. Alone, it gets what it wants.",
        "Java sees all processors whatever the weight, and makes threads for all. Before version"
            + " 19 it reckoned them from the weight, and saw one for a request of 0.3.",
        "The load, and the server's child that plans, are not in the server's processor time; the"
            + " load is in neither group.");
  }

  private static String weight(double asked) {
    CpuWeight weight = CpuWeight.asking(asked);
    return "for %s %d shares (v2: %d)".formatted(plain(asked), weight.shares(), weight.second());
  }

  /** A number of processors, as in 0.3 or 1. */
  static String plain(double processors) {
    return BigDecimal.valueOf(processors).stripTrailingZeros().toPlainString();
  }

  private static String told(Told told) {
    return "its metrics had %s processors, %s throttled periods, an event loop late by at most %s"
            .formatted(whole(told.processors), known(told.throttledPeriods), fine(told.lag))
        + " ms, the machine's processors used to %s %%, and a thread on it waiting for one %s."
            .formatted(
                whole(100 * told.machineUsage),
                Double.isNaN(told.pressure)
                    ? "unknown"
                    : whole(100 * told.pressure) + " % of the time");
  }

  private static String known(double value) {
    return Double.isNaN(value) ? "unknown" : whole(value);
  }

  private static List<String> cells(Row row) {
    return List.of(
        row.name,
        row.live.worstHigh(),
        row.ready.worstHigh(),
        fine(row.seen.server),
        fine(row.seen.neighbour),
        row.firsts.held + " of " + row.firsts.all,
        Long.toString(row.firsts.unexpected),
        fine(row.firsts.worst),
        fine(row.answers.p50),
        fine(row.answers.p99),
        fine(row.answers.most),
        whole(row.seen.told.processors),
        known(row.seen.told.throttledPeriods));
  }

  private static BarChart.Panel panel(String title, List<Row> rows, ToDoubleFunction<Row> value) {
    return new BarChart.Panel(
        title,
        rows.stream()
            .map(row -> new BarChart.Bar(row.name, value.applyAsDouble(row), shown(row, value)))
            .toList());
  }

  private static String shown(Row row, ToDoubleFunction<Row> value) {
    return fine(value.applyAsDouble(row));
  }
}
