package gilmok.lab.start;

import static gilmok.lab.start.Spread.fine;

import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.start.MeasuredRequests.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Writes the first requests of several starts as a page. Stateless. */
final class FirstChapter {
  private static final int BARS_MAX = 40;

  private FirstChapter() {}

  /** One request over all starts, in microseconds. */
  private record Row(
      String name, String target, Spread first, double steady, double ratio, long held) {
    static Row of(List<Figure> figures) {
      return new Row(
          figures.getFirst().name(),
          figures.getFirst().target(),
          Spread.of(figures.stream().map(Figure::first).toList()),
          Spread.of(figures.stream().map(Figure::steady).toList()).median(),
          figures.stream().mapToDouble(Figure::ratio).max().orElse(0),
          figures.stream().filter(Figure::holds).count());
    }
  }

  /** The page of first requests by a protocol. */
  static Chapter of(Protocol protocol, List<Trials.First> starts, Trials.Times times) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < starts.getFirst().figures().size(); i++) {
      int at = i;
      rows.add(Row.of(starts.stream().map(start -> start.figures().get(at)).toList()));
    }
    rows.sort(Comparator.comparingDouble(row -> -row.first().most()));
    long all = (long) rows.size() * starts.size();
    long held = rows.stream().mapToLong(Row::held).sum();
    double worst = rows.getFirst().first().most() / 1e3;
    double late =
        starts.stream()
            .flatMap(start -> start.figures().stream())
            .mapToDouble(Figure::late)
            .average()
            .orElse(0);
    String share = String.format(Locale.ROOT, "%.1f %%", 100.0 * held / all);
    return new Chapter(
        protocol == Protocol.PLAIN ? "first" : "first-" + protocol.name().toLowerCase(Locale.ROOT),
        "The first request of every route and branch after ready, by " + protocol.label(),
        "request | first, µs: median | most | steady, µs | most times | held",
        rows.stream().map(row -> cells(row, starts.size())).toList(),
        List.of(
            new Chapter.Verdict(
                "first request to its steady median",
                "at most 1.5 times, or 1 ms more",
                held + " of " + all + " (" + share + "), the longest " + fine(worst) + " ms",
                held == all)),
        List.of(
            starts.size() + " starts; one connection, each request once, in an order that differs.",
            "steady: each was sent "
                + times.rounds()
                + " times after that, the median of the last"
                + " half.",
            String.format(
                Locale.ROOT,
                "Of that half itself, %.2f %% took longer than a first may.",
                100 * late)),
        List.of(
            new BarChart.Panel(
                "the longest first request of " + starts.size() + " starts, ms",
                rows.stream().limit(BARS_MAX).map(FirstChapter::bar).toList())));
  }

  private static List<String> cells(Row row, int starts) {
    return List.of(
        row.name() + ": `" + row.target() + "`",
        Spread.whole(row.first().median()),
        Spread.whole(row.first().most()),
        Spread.whole(row.steady()),
        fine(row.ratio()),
        row.held() + " of " + starts);
  }

  private static BarChart.Bar bar(Row row) {
    double most = row.first().most() / 1e3;
    return new BarChart.Bar(
        row.name(), most, fine(most) + " ms; steady " + fine(row.steady() / 1e3));
  }
}
