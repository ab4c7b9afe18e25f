package gilmok.lab.deliveries;

import gilmok.lab.report.LinePlot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A {@link MinuteJournal} as SVG: panels of lines over the minutes, one below the other. Another
 * table can be drawn, too, if its columns say where they belong: {@code PANEL: LINE}.
 */
final class JournalChart {
  /** A panel of the chart: its title with the unit, and the columns drawn in it. */
  private record Panel(String title, List<String> columns) {}

  private static final List<Panel> PANELS =
      List.of(
          new Panel("transitions a second", List.of("transitions_per_s")),
          new Panel("milliseconds", List.of("p999_ms", "p99_ms", "p50_ms")),
          new Panel("processors", List.of("server_cores", "load_cores", "other_cores")),
          new Panel("heap after collection, MB", List.of("heap_after_gc_mb")),
          new Panel("collector, milliseconds a minute", List.of("gc_ms", "gc_max_ms")),
          new Panel("pages in SQLite's log of writes, at most", List.of("wal_pages_max")),
          new Panel("blocked threads, errors", List.of("threads_blocked_max", "errors")));

  /** Between the names of a panel and of a line in it. */
  private static final String IN = ": ";

  private JournalChart() {}

  /**
   * Renders the chart.
   *
   * @param lines the lines of the CSV, its header first
   */
  static String render(List<String> lines) {
    Map<String, List<Double>> columns = columns(lines);
    List<String> names = List.of(lines.getFirst().split(","));
    List<Double> places = columns.getOrDefault(names.getFirst(), List.of());
    String axis = names.getFirst() + " " + Math.round(places.getLast());
    List<Panel> named = named(names);
    return LinePlot.render(
        (named.isEmpty() ? PANELS : named)
            .stream()
                .map(
                    panel ->
                        new LinePlot.Panel(
                            panel.title,
                            axis,
                            places,
                            panel.columns.stream()
                                .map(
                                    name ->
                                        new LinePlot.Line(
                                            name.substring(name.indexOf(IN) + 1).strip(),
                                            columns.getOrDefault(name, List.of())))
                                .toList()))
                .toList());
  }

  /** The panels that the columns themselves name, in their order. */
  private static List<Panel> named(List<String> names) {
    Map<String, List<String>> panels = new LinkedHashMap<>();
    for (String name : names) {
      if (name.contains(IN)) {
        panels.computeIfAbsent(name.split(IN)[0], _ -> new ArrayList<>()).add(name);
      }
    }
    return panels.entrySet().stream()
        .map(panel -> new Panel(panel.getKey(), panel.getValue()))
        .toList();
  }

  private static Map<String, List<Double>> columns(List<String> lines) {
    String[] names = lines.getFirst().split(",");
    Map<String, List<Double>> columns = new HashMap<>();
    for (String name : names) {
      columns.put(name, new ArrayList<>());
    }
    for (String line : lines.subList(1, lines.size())) {
      String[] values = line.split(",");
      for (int i = 0; i < names.length; i++) {
        double value = i < values.length ? Double.parseDouble(values[i]) : 0;
        columns.computeIfAbsent(names[i], _ -> new ArrayList<>()).add(value);
      }
    }
    return columns;
  }
}
