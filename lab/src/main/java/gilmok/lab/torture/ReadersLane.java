package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/** Maps, apps and operators: a client that reads everything and changes nothing. */
record ReadersLane(Caller caller, Journal journal, RandomGenerator random) implements Lane {
  private static final List<String> PATHS =
      List.of(
          "/v1/riders?near=37.5,127.5&radius=50000&limit=20",
          "/v1/riders/rider-7/position",
          "/v1/riders?bbox=127,37,128,38",
          "/v1/deliveries?limit=20",
          "/v1/deliveries?status=COMPLETED&limit=5",
          "/v1/riders/earner-3/missions",
          "/v1/riders/earner-5/missions",
          "/v1/missions",
          "/v1/ledger",
          "/v1/sinks",
          "/v1/quarantine?limit=5",
          "/v1/keys",
          "/v1/devices?limit=5",
          "/v1/partners/shop-good/relays",
          "/metrics",
          "/health/ready");

  @Override
  public void turn() throws IOException, InterruptedException {
    String path = PATHS.get(random.nextInt(PATHS.size()));
    Reply reply = caller.get(path);
    if (reply.status() / 100 == 4 && reply.status() != 404 && reply.status() != 429) {
      journal.findings().add("GET " + path + " was refused: " + reply);
    }
  }
}
