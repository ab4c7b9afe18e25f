package gilmok.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code gilmok ledger}: what was accepted, and what became of it at each sink. */
@Command(
    name = "ledger",
    description = {
      "Show what became of every record: accepted = delivered + waiting + quarantined + skipped +"
          + " erased + lost. The difference is the residue. If it is not 0, records are lost or"
          + " counted twice. The key needs the scope operate.",
      "",
      "Exit code: 0 if the residue is 0, else 1."
    },
    footer = {"", "Examples:", "  gilmok ledger", "  gilmok ledger --json"})
final class LedgerCommand extends CliCommand implements Callable<Integer> {
  private static final List<String> COUNTS =
      List.of(
          "accepted",
          "delivered",
          "waiting",
          "quarantined",
          "skipped",
          "erased",
          "lost",
          "residue");

  @Option(names = "--json", description = "Print the server's answer as JSON.")
  boolean isJson;

  @Mixin Access access = new Access();

  @Override
  public Integer call() throws InterruptedException {
    JsonNode ledger;
    try (ApiClient server = new ApiClient(access.target())) {
      ledger = server.ask("GET", "/v1/ledger", null);
    }
    if (isJson) {
      out().println(ledger);
    } else {
      print(ledger);
    }
    long residue = ledger.path("residue").asLong(0);
    if (residue != 0) {
      throw new CommandFailure(
          "the ledger does not add up by %,d: check the sinks above whose residue is not 0"
              .formatted(residue));
    }
    return 0;
  }

  private void print(JsonNode ledger) {
    String accepted =
        ledger
            .path("streams")
            .valueStream()
            .map(
                one -> "%s %,d".formatted(one.path("stream").asString("-"), count(one, "accepted")))
            .collect(Collectors.joining(", "));
    String node = ledger.path("node").asString("-");
    out().println("accepted on " + node + " so far: " + accepted);
    if (ledger.path("items").isEmpty()) {
      out().println("there is no sink: name some in the setting sinks.enabled");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("SINK", "STREAM", "SINCE"));
    COUNTS.forEach(count -> head.add(count.toUpperCase(java.util.Locale.ROOT)));
    rows.add(head);
    for (JsonNode item : ledger.path("items")) {
      List<String> row = Table.cells(item, "sink", "stream", "since");
      COUNTS.forEach(count -> row.add("%,d".formatted(count(item, count))));
      rows.add(row);
    }
    Table.lines(rows).forEach(out()::println);
    for (JsonNode item : ledger.path("items")) {
      if (count(item, "lost") > 0) {
        out()
            .println(
                "%s has lost %,d records of %s: segments of the log were removed or damaged"
                    .formatted(
                        item.path("sink").asString("-"),
                        count(item, "lost"),
                        item.path("stream").asString("-")));
      }
    }
  }

  private static long count(JsonNode item, String name) {
    return item.path(name).asLong(0);
  }
}
