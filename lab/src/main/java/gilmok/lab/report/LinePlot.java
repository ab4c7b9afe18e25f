package gilmok.lab.report;

import java.util.List;
import java.util.Locale;

/** Draws lines over a common axis as SVG, one panel below the other. Stateless. */
public final class LinePlot {
  private static final int WIDTH = 860;
  private static final int LEFT = 60;
  private static final int RIGHT = 150;
  private static final int PLOT_HEIGHT = 110;
  private static final int PANEL_HEIGHT = 160;
  private static final int HEAD = 30;
  private static final int TITLE = 18;
  private static final int LEGEND = 15;
  private static final List<String> COLOURS =
      List.of(
          "#2a7f8e", "#c1572b", "#7b5ea7", "#5b8c3a", "#b8860b", "#8a8a8a", "#c2447c", "#34558b");

  private LinePlot() {}

  /** One line: a value for each place on the axis. */
  public record Line(String name, List<Double> values) {}

  /**
   * Lines with a common scale, which begins at 0.
   *
   * @param title with the unit
   * @param axis what the axis is, with its last value, as in "minute 60"
   * @param places where each value stands on the axis, rising
   */
  public record Panel(String title, String axis, List<Double> places, List<Line> lines) {}

  /** Renders the picture. */
  public static String render(List<Panel> panels) {
    StringBuilder svg = new StringBuilder();
    int height = panels.size() * PANEL_HEIGHT;
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d"
                + " %d\" font-family=\"sans-serif\" font-size=\"12\">%n",
            WIDTH,
            height,
            WIDTH,
            height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    int top = 0;
    for (Panel panel : panels) {
      panel(svg, panel, top);
      top += PANEL_HEIGHT;
    }
    return svg.append("</svg>\n").toString();
  }

  private static void panel(StringBuilder svg, Panel panel, int top) {
    double most =
        panel.lines.stream()
            .flatMap(line -> line.values.stream())
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(1);
    double scale = most <= 0 ? 1 : most;
    int base = top + HEAD + PLOT_HEIGHT;
    text(svg, LEFT, top + TITLE, "start", "font-weight=\"bold\"", panel.title);
    for (int i = 0; i <= 2; i++) {
      int y = base - i * PLOT_HEIGHT / 2;
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>%n",
              LEFT,
              y,
              WIDTH - RIGHT,
              y));
      text(svg, LEFT - 6, y + 4, "end", "fill=\"#555\"", number(scale * i / 2));
    }
    for (int i = 0; i < panel.lines.size(); i++) {
      String colour = COLOURS.get(i % COLOURS.size());
      line(svg, panel, panel.lines.get(i), scale, base, colour);
      text(
          svg,
          WIDTH - RIGHT + 10,
          top + 34 + i * LEGEND,
          "start",
          "fill=\"" + colour + "\"",
          panel.lines.get(i).name);
    }
    text(svg, WIDTH - RIGHT, base + 14, "end", "fill=\"#555\"", panel.axis);
  }

  private static void line(
      StringBuilder svg, Panel panel, Line line, double scale, int base, String colour) {
    double first = panel.places.isEmpty() ? 0 : panel.places.getFirst();
    double last = panel.places.isEmpty() ? 1 : panel.places.getLast();
    double wide = last > first ? last - first : 1;
    svg.append("<polyline fill=\"none\" stroke=\"").append(colour).append("\" points=\"");
    for (int i = 0; i < Math.min(line.values.size(), panel.places.size()); i++) {
      double x = LEFT + (panel.places.get(i) - first) / wide * (WIDTH - LEFT - RIGHT);
      double y = base - Math.max(0, line.values.get(i)) / scale * PLOT_HEIGHT;
      svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
    }
    svg.append("\"/>\n");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
  }

  private static void text(
      StringBuilder svg, int x, int y, String anchor, String style, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>%n",
            x,
            y,
            anchor,
            style,
            words.replace("&", "&amp;").replace("<", "&lt;")));
  }
}
