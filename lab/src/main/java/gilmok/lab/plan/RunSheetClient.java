package gilmok.lab.plan;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Asks a server for run sheets, one after the other. Of one thread. */
final class RunSheetClient implements AutoCloseable {
  private final LabClient client;

  RunSheetClient(Subject server) {
    client = new LabClient(server);
  }

  /**
   * One plan.
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
