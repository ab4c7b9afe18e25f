package gilmok.lab;

import java.util.ArrayList;
import java.util.List;

/** The examples that a command's help shows. */
final class Examples {
  private Examples() {}

  /** Each example as it is typed, in one line or in several that end with a backslash. */
  static List<String> of(String help) {
    List<String> all = new ArrayList<>();
    boolean isInside = false;
    StringBuilder open = new StringBuilder();
    for (String line : help.lines().toList()) {
      if (!isInside || line.isEmpty()) {
        isInside = !line.isEmpty() && line.equals("Examples:");
        continue;
      }
      open.append(open.isEmpty() ? "" : "\n").append(line.substring(2));
      if (!line.endsWith("\\")) {
        all.add(open.toString());
        open.setLength(0);
      }
    }
    return all;
  }
}
