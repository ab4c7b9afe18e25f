package gilmok.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** The results of one part: a table, a plot, and the goals with what was measured. Immutable. */
public record Chapter(
    String name,
    String title,
    String head,
    List<List<String>> rows,
    List<Verdict> verdicts,
    List<String> notes,
    List<BarChart.Panel> panels) {

  /** A goal and its measured value. */
  public record Verdict(String what, String reach, String measured, boolean reached) {}

  /** Whether all goals were reached. */
  public boolean reached() {
    return verdicts.stream().allMatch(Verdict::reached);
  }

  /**
   * The chapter as a page in Markdown.
   *
   * @param machine the description of the machine
   * @param command the command that measured it
   * @param plot the file of the picture
   */
  public String page(String machine, String command, String plot) {
    List<String> lines = new ArrayList<>();
    lines.add("# " + title);
    lines.add("");
    lines.add("`" + command + "`  ");
    lines.add(machine);
    lines.add("");
    if (!verdicts.isEmpty()) {
      lines.add("| | reach | measured | |");
      lines.add("|---|---|---|---|");
    }
    for (Verdict verdict : verdicts) {
      String end = verdict.reached ? "reached" : "**missed**";
      lines.add(line(List.of(verdict.what, verdict.reach, verdict.measured, end)));
    }
    lines.add("");
    lines.add("| " + head + " |");
    lines.add("|---".repeat(head.split(" \\| ", -1).length) + "|");
    rows.forEach(row -> lines.add(line(row)));
    lines.add("");
    notes.forEach(note -> lines.add("- " + note));
    lines.add("");
    lines.add("![" + title + "](" + plot + ")");
    return String.join("\n", lines) + "\n";
  }

  /**
   * Writes the page and the picture, and prints the page.
   *
   * @param folder made if it does not exist
   * @param family the prefix of the files' names
   * @param machine the description of the machine
   * @param command the command that measured it
   */
  public void write(Path folder, String family, String machine, String command) throws IOException {
    Files.createDirectories(folder);
    String stamp =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now(ZoneOffset.UTC));
    String file = family + "-" + name + "-" + stamp;
    String page = page(machine, command, file + ".svg");
    Files.writeString(folder.resolve(file + ".md"), page);
    Files.writeString(folder.resolve(file + ".svg"), BarChart.render(panels));
    System.out.println(page);
    System.out.println("written to " + folder.resolve(file + ".md"));
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
