package gilmok.lab.torture;

import gilmok.lab.crash.Violations;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Holds the server's own account against what is in the log and what the sinks have. To be asked
 * when nothing waits any more. Pure but for its findings.
 */
final class LedgerCheck {
  private LedgerCheck() {}

  /**
   * @param inLog the record ids in the log, and what it has let go of, by stream
   * @param poison the record ids of those that a sink may refuse for good
   * @param arrived those that a sink has, by sink; a sink that keeps nothing is not there
   */
  static void check(
      JsonNode ledger,
      Map<String, Set<String>> inLog,
      Map<String, Set<String>> arrived,
      Set<String> poison,
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
      row(row, inLog, findings);
      Set<String> logged = inLog.getOrDefault(row.path("stream").asString(""), Set.of());
      setAside(row, logged, arrived.get(row.path("sink").asString("")), poison, findings);
    }
  }

  private static void row(JsonNode row, Map<String, Set<String>> inLog, Violations findings) {
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
  }

  /** Nothing is missing at a sink but what was set aside, and nothing set aside but poison. */
  private static void setAside(
      JsonNode row,
      Set<String> logged,
      @Nullable Set<String> there,
      Set<String> poison,
      Violations findings) {
    long refusable = logged.stream().filter(poison::contains).count();
    if (count(row, "quarantined") > refusable) {
      findings.add("set aside, and only " + refusable + " can have been refused: " + row);
    }
    if (there == null) {
      return;
    }
    List<String> missing = logged.stream().filter(id -> !there.contains(id)).toList();
    if (missing.size() > count(row, "quarantined")) {
      findings.add(missing.size() + " records are not at the sink of " + row);
    }
    List<String> good = missing.stream().filter(id -> !poison.contains(id)).sorted().toList();
    if (!good.isEmpty()) {
      findings.add(
          "%d that cannot have been refused, as %s, are not at the sink of %s"
              .formatted(good.size(), good.getFirst(), row));
    }
  }

  private static long count(JsonNode row, String name) {
    return row.path(name).asLong(Long.MIN_VALUE / 100);
  }
}
