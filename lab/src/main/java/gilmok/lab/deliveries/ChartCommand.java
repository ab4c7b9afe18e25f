package gilmok.lab.deliveries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lab chart}: draws the journal of a long run, or another table. */
@Command(
    name = "chart",
    description = {
      "Draw the CSV that \"lab deliveries --journal\" wrote, as SVG beside it. Another table is "
          + "drawn, too, if its columns are named \"PANEL: LINE\", but for the first, which is the "
          + "axis."
    },
    footer = {"", "Examples:", "  gilmok lab chart journal.csv"})
public final class ChartCommand implements Callable<Integer> {
  private static final int UNUSABLE = 2;

  @Parameters(paramLabel = "FILE", description = "The journal, as CSV.")
  private Path journal = Path.of("");

  @Override
  public Integer call() throws IOException {
    List<String> lines = Files.isRegularFile(journal) ? Files.readAllLines(journal) : List.of();
    if (lines.size() < 2) {
      System.err.println(journal + " has no rows: name the file of \"lab deliveries --journal\"");
      return UNUSABLE;
    }
    String name = String.valueOf(journal.getFileName()).replaceFirst("\\.csv$", "");
    Path chart = journal.resolveSibling(name + ".svg");
    Files.writeString(chart, JournalChart.render(lines));
    System.out.println("drawn: " + chart);
    return 0;
  }
}
