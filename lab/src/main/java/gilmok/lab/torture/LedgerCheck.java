package gilmok.lab.torture;

import gilmok.lab.crash.Violations;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Holds the server's own account against what is in the log and what the sinks have. To be asked
 * when nothing waits any more. Pure but for its findings.
 */
final class LedgerCheck {
  private LedgerCheck() {}

  /**
   * @param inLog the record ids in the log, and what it has let go of, by stream
   * @param poisoned how many records a sink may have set aside
   * @param arrived those that a sink has, by sink; a sink that keeps nothing is not there
   */
  static void check(
      JsonNode ledger,
      Map<String, Set<String>> inLog,
      Map<String, Set<String>> arrived,
      int poisoned,
      Violations findings) {
    if (ledger.path("residue").asLong(-1) != 0) {
      findings.add("the ledger's residue is " + ledger.path("residue"));
    }
    if (ledger.path("items").isEmpty()) {
      findings.add("the ledger is empty: " + ledger);
    }
    for (JsonNode stream : ledger.path("streams")) {
      String name = stream.path("stream").asString("");
      int found = inLog.getOrDefault(name, Set.of()).size();
      if (stream.path("accepted").asLong(-1) != found) {
        findings.add("the ledger has " + stream + ", the log " + found);
      }
    }
    for (JsonNode row : ledger.path("items")) {
      row(row, inLog, arrived, findings);
      if (count(row, "quarantined") > poisoned) {
        findings.add("set aside, and only " + poisoned + " can have been refused: " + row);
      }
    }
  }

  private static void row(
      JsonNode row,
      Map<String, Set<String>> inLog,
      Map<String, Set<String>> arrived,
      Violations findings) {
    long gap =
        count(row, "accepted")
            - count(row, "delivered")
            - count(row, "waiting")
            - count(row, "quarantined")
            - count(row, "skipped")
            - count(row, "erased");
    if (gap != 0 || count(row, "residue") != 0) {
      findings.add("a row of the ledger does not add up: " + row);
    }
    if (count(row, "waiting") != 0) {
      findings.add("something waits for a sink that is well: " + row);
    }
    if (count(row, "skipped") != 0 || count(row, "erased") != 0) {
      findings.add("nobody asked to skip or to erase: " + row);
    }
    Set<String> logged = inLog.getOrDefault(row.path("stream").asString(""), Set.of());
    if (count(row, "accepted") != logged.size()) {
      findings.add("the log has " + logged.size() + " of " + row);
    }
    Set<String> there = arrived.get(row.path("sink").asString(""));
    if (there == null) {
      return;
    }
    long missing = logged.stream().filter(id -> !there.contains(id)).count();
    if (missing > count(row, "quarantined")) {
      findings.add(missing + " records are not at the sink of " + row);
    }
  }

  private static long count(JsonNode row, String name) {
    return row.path(name).asLong(Long.MIN_VALUE / 100);
  }
}
