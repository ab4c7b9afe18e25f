package gilmok.lab.torture;

import gilmok.lab.crash.Violations;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks the server's ledger against the log and the sinks. To be run when no record waits for a
 * sink. A pure function, except that it adds findings.
 */
final class LedgerCheck {
  private LedgerCheck() {}

  /**
   * Checks a ledger.
   *
   * @param inLog the record ids in the log, including deleted ones, by stream
   * @param poison the record ids that a sink may refuse for good
   * @param arrived the record ids that arrived, by sink; without sinks that keep nothing
   * @param toll the losses that are allowed
   */
  static void check(
      JsonNode ledger,
      Map<String, Set<String>> inLog,
      Map<String, Set<String>> arrived,
      Set<String> poison,
      Toll toll,
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
      String sink = row.path("sink").asString("");
      boolean isAnew = toll.accounts().contains(sink);
      row(row, inLog, isAnew, toll.oldest(), findings);
      Set<String> logged = inLog.getOrDefault(row.path("stream").asString(""), Set.of());
      setAside(row, logged, arrived.get(sink), poison, isAnew, findings);
    }
  }

  private static void row(
      JsonNode row,
      Map<String, Set<String>> inLog,
      boolean isAnew,
      boolean mayLose,
      Violations findings) {
    long gap =
        count(row, "accepted")
            - count(row, "delivered")
            - count(row, "waiting")
            - count(row, "quarantined")
            - count(row, "skipped")
            - count(row, "erased")
            - count(row, "lost");
    if (gap != 0 || count(row, "residue") != 0) {
      findings.add("a row of the ledger does not add up: " + row);
    }
    if (count(row, "waiting") != 0) {
      findings.add("something waits for a sink that is well: " + row);
    }
    if (count(row, "skipped") != 0 || count(row, "erased") != 0) {
      findings.add("nobody asked to skip or to erase: " + row);
    }
    if (count(row, "lost") != 0 && !mayLose) {
      findings.add("nobody lost anything: " + row);
    }
    Set<String> logged = inLog.getOrDefault(row.path("stream").asString(""), Set.of());
    long accepted = count(row, "accepted");
    if (isAnew ? accepted > logged.size() : accepted != logged.size()) {
      findings.add("the log has " + logged.size() + " of " + row);
    }
  }

  /** Checks that a sink misses only quarantined records, and that only poison is quarantined. */
  private static void setAside(
      JsonNode row,
      Set<String> logged,
      @Nullable Set<String> there,
      Set<String> poison,
      boolean isAnew,
      Violations findings) {
    long refusable = logged.stream().filter(poison::contains).count();
    if (count(row, "quarantined") > refusable) {
      findings.add("set aside, and only " + refusable + " can have been refused: " + row);
    }
    if (there == null) {
      return;
    }
    List<String> missing = logged.stream().filter(id -> !there.contains(id)).toList();
    // The quarantined records of an account that was lost are not counted any more.
    if (missing.size() > count(row, "quarantined") && !isAnew) {
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
