package gilmok.lab.statements;

import gilmok.lab.capacity.BarChart;
import java.util.ArrayList;
import java.util.List;

/** What one part came to: a table, a plot, and whether it reached what it was to. */
record Chapter(
    String name,
    String title,
    List<String> head,
    List<List<String>> rows,
    List<Verdict> verdicts,
    List<String> notes,
    List<BarChart.Panel> panels) {

  /** What was to be reached, and what was. */
  record Verdict(String what, String reach, String measured, boolean reached) {}

  boolean reached() {
    return verdicts.stream().allMatch(Verdict::reached);
  }

  /**
   * As a page in Markdown.
   *
   * @param machine what it ran on
   * @param command what it was measured with
   * @param plot the picture's file
   */
  String page(String machine, String command, String plot) {
    List<String> lines = new ArrayList<>();
    lines.add("# " + title);
    lines.add("");
    lines.add("`" + command + "`  ");
    lines.add(machine);
    lines.add("");
    lines.add("| | reach | measured | |");
    lines.add("|---|---|---|---|");
    for (Verdict verdict : verdicts) {
      String end = verdict.reached ? "reached" : "**missed**";
      lines.add(line(List.of(verdict.what, verdict.reach, verdict.measured, end)));
    }
    lines.add("");
    lines.add(line(head));
    lines.add("|---".repeat(head.size()) + "|");
    rows.forEach(row -> lines.add(line(row)));
    lines.add("");
    notes.forEach(note -> lines.add("- " + note));
    lines.add("");
    lines.add("![" + title + "](" + plot + ")");
    return String.join("\n", lines) + "\n";
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
