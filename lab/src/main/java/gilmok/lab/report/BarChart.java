package gilmok.lab.report;

import java.util.List;

/** Draws horizontal bars as SVG, one panel below the other. Stateless. */
public final class BarChart {
  private static final int WIDTH = 860;
  private static final int LABEL_WIDTH = 330;
  private static final int BAR_WIDTH = 400;
  private static final int ROW_HEIGHT = 22;
  private static final int HEAD_HEIGHT = 40;

  private BarChart() {}

  /** One bar. */
  public record Bar(String label, double value, String shown) {}

  /** Bars with a common scale. */
  public record Panel(String title, List<Bar> bars) {
    int height() {
      return HEAD_HEIGHT + bars.size() * ROW_HEIGHT;
    }
  }

  /** Renders the picture. */
  public static String render(List<Panel> panels) {
    int height = panels.stream().mapToInt(Panel::height).sum() + ROW_HEIGHT;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n",
            WIDTH, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    int top = 0;
    for (Panel panel : panels) {
      panel(svg, panel, top);
      top += panel.height();
    }
    return svg.append("</svg>\n").toString();
  }

  private static void panel(StringBuilder svg, Panel panel, int top) {
    double most = panel.bars.stream().mapToDouble(Bar::value).max().orElse(1);
    text(svg, 10, top + 28, "start", "font-weight=\"bold\"", panel.title);
    int y = top + HEAD_HEIGHT;
    for (Bar bar : panel.bars) {
      int width = (int) Math.round(BAR_WIDTH * bar.value / Math.max(most, 1e-9));
      text(svg, LABEL_WIDTH - 8, y + 14, "end", "", bar.label);
      svg.append(
          String.format(
              "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#2a7f8e\"/>%n",
              LABEL_WIDTH, y + 3, Math.max(1, width), ROW_HEIGHT - 6));
      text(svg, LABEL_WIDTH + width + 6, y + 14, "start", "", bar.shown);
      y += ROW_HEIGHT;
    }
  }

  private static void text(
      StringBuilder svg, int x, int y, String anchor, String style, String words) {
    svg.append(
        String.format(
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>%n",
            x, y, anchor, style, words.replace("&", "&amp;").replace("<", "&lt;")));
  }
}
