package gilmok;

import gilmok.Architecture.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the table of packages from ARCHITECTURE.md, so that the page itself is the rule. */
final class PackageTable {
  private static final Pattern LINE = Pattern.compile("\\| (`[a-z].*?) \\| .* \\| (.*?) \\|");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final String START = "| Package | Is | May import |";

  /** The packages that the table calls {@code base}. */
  private static final Set<String> BASE =
      Set.of("background", "config", "observe", "runtime", "trace", "warmup");

  /** Foreign packages that a starred package may import nevertheless: a codec and a JSON reader. */
  private static final Map<String, Set<String>> THEIRS =
      Map.of(
          "compress", Set.of("com.github.luben.zstd."), "collect.json", Set.of("tools.jackson."));

  private PackageTable() {}

  /** The table's rows, in their order. */
  static List<Row> rows(String page) {
    List<Row> rows = new ArrayList<>();
    page.substring(page.indexOf(START) + START.length())
        .lines()
        .skip(1)
        .takeWhile(line -> line.startsWith("|"))
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(line -> add(rows, line.group(1), line.group(2)));
    return rows;
  }

  /**
   * Adds the rows of one line. It may name several packages ({@code `a.b` `.c`}) with equal rights.
   */
  private static void add(List<Row> rows, String names, String imports) {
    Set<String> ours = new HashSet<>();
    for (String code : codes(imports)) {
      ours.addAll(Set.of(code.split(" ")));
    }
    if (imports.contains("base") || imports.contains("edge")) {
      ours.addAll(BASE);
    }
    if (imports.contains("edge")) {
      ours.addAll(Set.of("http", "auth"));
    }
    if (imports.startsWith("all")) {
      ours.add("*");
    }
    String first = codes(names).getFirst();
    String parent = first.contains(".") ? first.substring(0, first.lastIndexOf('.')) : "";
    for (String name : codes(names)) {
      String full = name.startsWith(".") ? parent + name : name;
      rows.add(new Row(full, names.endsWith("*"), ours, THEIRS.getOrDefault(full, Set.of())));
    }
  }

  private static List<String> codes(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
