package gilmok.lab.plan;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Requests run sheets from a server, one after the other. Not thread-safe. */
final class RunSheetClient implements AutoCloseable {
  private final LabClient client;

  RunSheetClient(Subject server) {
    client = new LabClient(server);
  }

  /**
   * Requests one run sheet.
   *
   * @throws IOException when it is refused
   */
  Planned plan(Case one, long budgetMillis) throws IOException, InterruptedException {
    long began = System.nanoTime();
    JsonNode json =
        LabClient.good(one.name(), client.post("/v1/run-sheets", one.body(budgetMillis))).json();
    double waited = (System.nanoTime() - began) / 1e6;
    return new Planned(
        json.get("cost").asLong(),
        json.get("optimal").asBoolean(),
        json.get("tookMs").asDouble(),
        waited);
  }

  @Override
  public void close() {
    client.close();
  }
}
