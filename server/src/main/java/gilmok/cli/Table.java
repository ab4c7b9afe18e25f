package gilmok.cli;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Formats rows of text as lines with aligned columns. From any thread. */
public final class Table {
  private Table() {}

  /** The lines of these rows, which all have as many columns as the first. */
  public static List<String> lines(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /**
   * The cells for these members of an object: their texts and numbers, and a dash for a missing
   * one.
   */
  static List<String> cells(JsonNode object, String... members) {
    List<String> cells = new ArrayList<>();
    for (String member : members) {
      cells.add(object.path(member).asString("-"));
    }
    return cells;
  }
}
