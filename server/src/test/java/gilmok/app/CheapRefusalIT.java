package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Promise 7: a load of refusals creates not one throwable. */
@Tag("process")
final class CheapRefusalIT extends DeliveryRig {
  private static final int ROUNDS = 50;

  @Override
  String[] settings() {
    return new String[] {"http.event-loops=2"};
  }

  @Test
  void refusals_createNoThrowable() throws Exception {
    String id = created(order("1"));
    String shop = server.key("{\"name\":\"s\",\"scopes\":[\"read\",\"operate\"],\"shop\":\"x\"}");
    call("POST", "/v1/deliveries", order("2"), "Idempotency-Key", "k");
    refuseAll(id, shop); // Loading and linking classes creates throwables.
    Map<String, Integer> made =
        Throwables.during(
            data,
            _ -> false,
            () -> {
              for (int i = 0; i < ROUNDS; i++) {
                refuseAll(id, shop);
              }
            });
    assertThat(made).isEmpty();
    assertThat(server.metric("gilmok_deliveries_steps_total{outcome=\"state\",step=\"complete\"}"))
        .isGreaterThan(ROUNDS);
  }

  private void refuseAll(String id, String shop) throws Exception {
    assertThat(step(id, "complete", "").status()).isEqualTo(409);
    assertThat(step(id, "accept", "", "If-Match", "7").status()).isEqualTo(412);
    assertThat(step(id, "accept", "", "If-Match", "x").status()).isEqualTo(400);
    assertThat(step(id, "assign", "{\"riderId\":7}").status()).isEqualTo(400);
    assertThat(step(id, "accept", "{\"agencyId\":").status()).isEqualTo(400);
    assertThat(step(id.substring(0, 20) + "zzzzzz", "accept", "").status()).isEqualTo(404);
    assertThat(step("x", "accept", "").status()).isEqualTo(404);
    String crooked = "{\"start\":0,\"orders\":[],\"matrix\":[[0,1],[1]]}";
    assertThat(call("POST", "/v1/run-sheets", crooked).status()).isEqualTo(400);
    assertThat(callWith(shop, "POST", "/v1/deliveries/" + id + "/cancel", "").status())
        .isEqualTo(403);
    assertThat(callWith(shop, "GET", "/v1/deliveries/" + id, "").status()).isEqualTo(403);
    assertThat(callWith("gk_no_key", "GET", "/v1/deliveries/" + id, "").status()).isIn(401, 429);
    assertThat(call("POST", "/v1/deliveries", order("1")).status()).isEqualTo(409);
    assertThat(call("POST", "/v1/deliveries", order("3"), "Idempotency-Key", "k").status())
        .isEqualTo(422);
    assertThat(call("POST", "/v1/deliveries", "[{}]").status()).isEqualTo(200);
    assertThat(call("POST", "/v1/deliveries", "{\"fee\":\"x\"}").status()).isEqualTo(400);
    assertThat(call("GET", "/v1/deliveries?from=now", "").status()).isEqualTo(400);
    assertThat(call("GET", "/v1/deliveries/" + id.substring(0, 20) + "zzzzzz", "").status())
        .isEqualTo(404);
  }
}
