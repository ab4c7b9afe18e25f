package gilmok.lab;

import java.util.List;

/** The metrics of a server, in the text format of Prometheus. Immutable. */
public record Metrics(List<String> lines) {
  public Metrics {
    lines = List.copyOf(lines);
  }

  /**
   * The sum of a metric's values over all label sets that contain a text; NaN if there are none.
   *
   * @param name as it is written, with {@code _total}
   * @param label as in {@code cache="missions"}; empty for any
   */
  public double sum(String name, String label) {
    double sum = 0;
    boolean isThere = false;
    for (String line : lines) {
      if (isOf(line, name) && line.contains(label)) {
        sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
        isThere = true;
      }
    }
    return isThere ? sum : Double.NaN;
  }

  /** The highest of a metric's values over all label sets that contain a text; NaN if none. */
  public double most(String name, String label) {
    double most = Double.NaN;
    for (String line : lines) {
      if (isOf(line, name) && line.contains(label)) {
        double value = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
        most = Double.isNaN(most) ? value : Math.max(most, value);
      }
    }
    return most;
  }

  private static boolean isOf(String line, String name) {
    return line.startsWith(name)
        && line.length() > name.length()
        && (line.charAt(name.length()) == '{' || line.charAt(name.length()) == ' ');
  }
}
