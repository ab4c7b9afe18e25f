package gilmok.doctor;

import gilmok.cli.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Shows checks as a table, and below it what to do. No state. */
public final class CheckTable {
  private CheckTable() {}

  /**
   * The lines of these checks, with an empty one at the end of each part.
   *
   * @param words what a verdict is called there
   */
  public static List<String> lines(String title, List<Check> checks, UnaryOperator<String> words) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of(title, "FOUND", "VERDICT"));
    for (Check check : checks) {
      rows.add(List.of(check.what(), check.seen(), words.apply(check.verdict())));
    }
    List<String> lines = new ArrayList<>(Table.lines(rows));
    lines.add("");
    List<Check> advised = checks.stream().filter(check -> !check.advice().isEmpty()).toList();
    if (!advised.isEmpty()) {
      advised.forEach(check -> lines.add(check.what() + ": " + check.advice()));
      lines.add("");
    }
    return lines;
  }
}
