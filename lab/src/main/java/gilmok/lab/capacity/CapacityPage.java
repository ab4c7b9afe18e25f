package gilmok.lab.capacity;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The findings as a Markdown page. */
final class CapacityPage {
  private CapacityPage() {}

  /**
   * Renders the page.
   *
   * @param machine what it was measured on
   * @param command how
   * @param plot the plot's file name
   */
  static String render(String machine, String command, String plot, List<Finding> findings) {
    StringBuilder page = new StringBuilder();
    page.append("# Capacity\n\n").append(machine).append("\n\nCommand: `").append(command);
    page.append("`\n\n| | reach | measured | |\n|---|---|---|---|\n");
    for (Finding finding : findings) {
      page.append("| ").append(finding.what()).append(" | ").append(finding.reach());
      page.append(" | ").append(finding.measured()).append(" | ");
      page.append(finding.passed() ? "reached" : "**missed**").append(" |\n");
    }
    page.append("\n![requests a second and latencies](").append(plot).append(")\n\n");
    page.append("## Every round\n\n");
    page.append("Processor time in µs a request, and in cores; \"others\" is what neither used.\n");
    for (Finding finding : findings) {
      rounds(page, finding);
    }
    return page.toString();
  }

  private static void rounds(StringBuilder page, Finding finding) {
    page.append("\n### ").append(finding.what()).append("\n\n");
    page.append("| server | requests/s | positions/s | p50 | p99 | p99.9 | max ms ");
    page.append("| server µs | cores | load µs | cores | others | |\n");
    page.append("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    Set<Measurement> rounds = new LinkedHashSet<>(finding.rounds());
    for (Measurement round : rounds) {
      page.append(
          String.format(
              "| %s | %,.0f | %,.0f | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f | %.2f | %.2f | %.2f"
                  + " | %s |%n",
              round.subject(),
              round.requestsPerSecond(),
              round.positionsPerSecond(),
              round.p50(),
              round.p99(),
              round.p999(),
              round.max(),
              round.serverMicros(),
              round.serverCores(),
              round.loadMicros(),
              round.loadCores(),
              round.otherCores(),
              round.valid() ? "" : "VOID " + round.errors().replace("|", "/")));
    }
  }
}
