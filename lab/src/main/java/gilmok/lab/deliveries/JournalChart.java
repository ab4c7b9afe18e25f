package gilmok.lab.deliveries;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A {@link MinuteJournal} as SVG: panels of lines over the minutes, one below the other. */
final class JournalChart {
  private static final int WIDTH = 860;
  private static final int LEFT = 60;
  private static final int RIGHT = 150;
  private static final int PLOT_HEIGHT = 110;
  private static final int PANEL_HEIGHT = 160;
  private static final List<String> COLOURS = List.of("#2a7f8e", "#c1572b", "#7b5ea7");

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

  private JournalChart() {}

  /**
   * Renders the chart.
   *
   * @param lines the lines of the CSV, its header first
   */
  static String render(List<String> lines) {
    Map<String, List<Double>> columns = columns(lines);
    StringBuilder svg = new StringBuilder();
    int height = PANELS.size() * PANEL_HEIGHT;
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            .formatted(WIDTH, height));
    svg.append(" font-family=\"sans-serif\" font-size=\"12\">\n");
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    int top = 0;
    for (Panel panel : PANELS) {
      panel(svg, panel, columns, top);
      top += PANEL_HEIGHT;
    }
    return svg.append("</svg>\n").toString();
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

  private static void panel(
      StringBuilder svg, Panel panel, Map<String, List<Double>> columns, int top) {
    List<List<Double>> drawn = new ArrayList<>();
    for (String column : panel.columns) {
      drawn.add(columns.getOrDefault(column, List.of()));
    }
    double most =
        drawn.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).max().orElse(1);
    double scale = most > 0 ? most : 1;
    int base = top + 30 + PLOT_HEIGHT;
    text(svg, LEFT, top + 20, "start", "#000", panel.title);
    text(svg, LEFT - 6, top + 36, "end", "#555", number(scale));
    text(svg, LEFT - 6, base, "end", "#555", "0");
    svg.append(
        "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#999\"/>%n"
            .formatted(LEFT, top + 30, base, WIDTH - RIGHT));
    for (int i = 0; i < drawn.size(); i++) {
      String colour = COLOURS.get(i);
      line(svg, drawn.get(i), scale, base, colour);
      text(svg, WIDTH - RIGHT + 10, top + 44 + 18 * i, "start", colour, panel.columns.get(i));
    }
    int minutes = drawn.getFirst().size();
    text(svg, WIDTH - RIGHT, base + 14, "end", "#555", "minute " + minutes);
  }

  private static void line(
      StringBuilder svg, List<Double> values, double scale, int base, String colour) {
    svg.append("<polyline fill=\"none\" stroke=\"").append(colour).append("\" points=\"");
    double step = (WIDTH - LEFT - RIGHT) / (double) Math.max(1, values.size() - 1);
    for (int i = 0; i < values.size(); i++) {
      double y = base - Math.max(0, values.get(i)) / scale * PLOT_HEIGHT;
      svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", LEFT + i * step, y));
    }
    svg.append("\"/>\n");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
  }

  private static void text(
      StringBuilder svg, int x, int y, String anchor, String colour, String words) {
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n"
            .formatted(x, y, anchor, colour, words));
  }
}
