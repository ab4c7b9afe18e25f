package gilmok.lab.sinks;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Reads a server's ledger and its sinks over HTTP. Thread-safe; blocks. */
final class LedgerClient implements AutoCloseable {
  private final LabClient client;

  LedgerClient(Subject server) {
    client = new LabClient(server);
  }

  /** A sink in the form of {@code GET /v1/sinks}. */
  record Sink(String name, String state, long waiting, double lagSeconds, int inFlight) {}

  /** One row of the ledger. */
  record Row(
      String sink,
      String stream,
      long accepted,
      long delivered,
      long waiting,
      long quarantined,
      long skipped,
      long erased,
      long lost,
      long residue) {
    /** The residue of the row, computed here; 0 if it adds up. */
    long gap() {
      return accepted - delivered - waiting - quarantined - skipped - erased - lost;
    }
  }

  /** All sinks, by name. */
  Map<String, Sink> sinks() throws IOException, InterruptedException {
    Map<String, Sink> sinks = new TreeMap<>();
    for (JsonNode item : get("/v1/sinks").path("items")) {
      String name = item.path("name").asString("");
      sinks.put(
          name,
          new Sink(
              name,
              item.path("state").asString(""),
              item.path("waiting").asLong(-1),
              item.path("lagSeconds").asDouble(0),
              item.path("inFlight").asInt(0)));
    }
    return sinks;
  }

  /**
   * The sink with a name.
   *
   * @throws IOException when there is none
   */
  Sink sink(String name) throws IOException, InterruptedException {
    Sink sink = sinks().get(name);
    if (sink == null) {
      throw new IOException("no sink is called " + name);
    }
    return sink;
  }

  /** All rows. */
  List<Row> ledger() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (JsonNode item : get("/v1/ledger").path("items")) {
      rows.add(
          new Row(
              item.path("sink").asString(""),
              item.path("stream").asString(""),
              item.path("accepted").asLong(-1),
              item.path("delivered").asLong(-1),
              item.path("waiting").asLong(-1),
              item.path("quarantined").asLong(-1),
              item.path("skipped").asLong(-1),
              item.path("erased").asLong(-1),
              item.path("lost").asLong(-1),
              item.path("residue").asLong(Long.MIN_VALUE)));
    }
    return rows;
  }

  /** Waits until no sink has waiting records. */
  void awaitEmpty(Duration atMost) throws IOException, InterruptedException {
    long _ = awaitWaiting(0, atMost);
  }

  /** Waits until at most a number of records wait for sinks; returns how many do. */
  long awaitWaiting(long left, Duration atMost) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (System.nanoTime() < deadline) {
      long waiting = sinks().values().stream().mapToLong(Sink::waiting).map(Math::abs).sum();
      if (waiting <= left) {
        return waiting;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IOException("still waiting after " + atMost + ": " + sinks().values());
  }

  /** Checks that every row adds up. */
  void requireBalance() throws IOException, InterruptedException {
    List<Row> rows = ledger();
    if (rows.isEmpty() || rows.stream().anyMatch(row -> row.residue() != 0 || row.gap() != 0)) {
      throw new IOException("the ledger does not add up: " + rows);
    }
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return client.json(path);
  }

  @Override
  public void close() {
    client.close();
  }
}
