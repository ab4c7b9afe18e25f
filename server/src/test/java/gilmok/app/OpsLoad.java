package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A little of everything that a fleet asks a server, so that each metric has something to tell. Not
 * thread-safe.
 */
final class OpsLoad {
  private static final String RUN_SHEET =
      "{\"matrix\":[[0,1,2],[1,0,1],[2,1,0]],\"start\":0,"
          + "\"orders\":[{\"orderId\":\"near\",\"pickup\":1,\"dropoff\":2}]}";

  private final RunningServer server;
  private int round;

  /**
   * @param partner hears of the deliveries of shop-1
   */
  OpsLoad(RunningServer server, ToldPartner partner) throws Exception {
    this.server = server;
    ask("PUT", "/v1/partners/shop-1", partner.asJson());
    ask("PUT", "/v1/missions/m1", "{\"title\":\"" + "long ".repeat(1000) + "\"}");
  }

  /** Asks for all of it once; each time it is work, not a repeat. */
  void round() throws Exception {
    round++;
    String at = Long.toString(System.currentTimeMillis());
    collect(at);
    String id =
        ask("POST", "/v1/deliveries", DeliveryRig.order("order-" + round))
            .json()
            .at("/id")
            .asString();
    ask("POST", "/v1/deliveries/" + id + "/accept", "");
    ask("POST", "/v1/deliveries/" + id + "/assign", "{\"riderId\":\"r-1\"}");
    ask(
        "POST",
        "/v1/actions",
        "{\"riderId\":\"r-1\",\"at\":%s,\"type\":\"pickup\",\"deliveryId\":\"%s\"}"
            .formatted(at, id));
    Program.await(() -> server.get("/v1/deliveries/" + id).body().contains("PICKED_UP"));
    ask("POST", "/v1/deliveries/" + id + "/complete", "");
    ask("GET", "/v1/deliveries?limit=5", "");
    refused("POST", "/v1/deliveries/" + id + "/accept", "", 409);
    refused("GET", "/v1/riders/nobody/position", "", 404);
    ask("POST", "/v1/run-sheets", RUN_SHEET);
    ask("GET", "/v1/riders/r-1/missions", "");
    ask("PUT", "/v1/riders/r-" + round + "/profile", "{\"level\":1}");
    ask("POST", "/v1/riders/r-1/missions/settle", "");
    ask(
        "POST",
        "/v1/statement-entries",
        "{\"id\":\"e-%d\",\"riderId\":\"r-1\",\"at\":%s,\"kind\":\"fee\",\"amount\":1}"
            .formatted(round, at));
    ask("GET", "/v1/riders/r-1/statement?from=2026-03-01&to=2026-03-31", "");
    ask("GET", "/v1/ledger", "");
    ask("GET", "/v1/riders/r-1/trace", "");
    assertThat(server.send("gk_no_no", "GET", "/v1/ledger", "", "").status()).isEqualTo(401);
  }

  private void collect(String at) throws Exception {
    String position =
        "{\"riderId\":\"r-1\",\"at\":%s,\"lat\":37.5,\"lon\":127.%d,\"id\":\"%d\"}"
            .formatted(at, round, round);
    ask("POST", "/v1/traces", "[" + position + ",{\"riderId\":\"r-1\"}]");
    ask("POST", "/v1/traces", position);
    refused("POST", "/v1/traces", "{", 400);
    ask("GET", "/osmand?id=phone&lat=37.%d&lon=127".formatted(round), "");
    ask("GET", "/v1/riders/r-1/position", "");
    ask("GET", "/v1/riders/r-1/position", "");
  }

  private RunningServer.Reply ask(String method, String path, String body) throws Exception {
    String type = body.isEmpty() ? "" : "application/json";
    RunningServer.Reply reply = server.send(server.adminKey(), method, path, type, body);
    assertThat(reply.status()).as("%s %s: %s", method, path, reply.body()).isBetween(200, 299);
    return reply;
  }

  private void refused(String method, String path, String body, int status) throws Exception {
    String type = body.isEmpty() ? "" : "application/json";
    assertThat(server.send(server.adminKey(), method, path, type, body).status())
        .as(path)
        .isEqualTo(status);
  }
}
