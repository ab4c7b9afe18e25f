package gilmok;

import gilmok.Architecture.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the table of packages out of STYLE.md, so that the page and the test cannot part. */
final class StyleTable {
  private static final Pattern LINE = Pattern.compile("\\| (`.*?) \\|.*\\| (.*?) \\|");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Set<String> BASE =
      Set.of("background", "config", "observe", "runtime", "warmup");

  private StyleTable() {}

  static List<Row> rows(String page) {
    List<Row> rows = new ArrayList<>();
    for (String line : page.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        add(rows, matcher.group(1), matcher.group(2));
      }
    }
    return rows;
  }

  /** One line names one package or several ({@code `a.b` `.c`}), each with the same row. */
  private static void add(List<Row> rows, String names, String imports) {
    String first = "";
    for (String name : codes(names)) {
      if (first.isEmpty()) {
        first = name;
      }
      String parent = first.contains(".") ? first.substring(0, first.lastIndexOf('.')) : "";
      String full = name.startsWith(".") ? parent + name : name;
      Set<String> ours = new HashSet<>();
      // "(.redis: + redis)" adds to one of several only.
      Matcher extra = Pattern.compile("\\(`(\\.\\w+)`: \\+ `(\\w+)`\\)").matcher(imports);
      if (extra.find() && full.endsWith(extra.group(1))) {
        ours.add(extra.group(2));
      }
      String plain = extra.reset().replaceAll("");
      for (String code : codes(plain)) {
        ours.addAll(Set.of(code.split(" ")));
      }
      if (plain.contains("base")) {
        ours.addAll(BASE);
      }
      if (plain.startsWith("all")) {
        ours.add("*");
      }
      rows.add(new Row(full, names.endsWith("*"), ours, Set.of()));
    }
  }

  private static List<String> codes(String text) {
    List<String> codes = new ArrayList<>();
    Matcher matcher = CODE.matcher(text);
    while (matcher.find()) {
      codes.add(matcher.group(1));
    }
    return codes;
  }
}
