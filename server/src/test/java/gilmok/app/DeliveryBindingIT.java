package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a key may see and do when it is bound to a rider, a shop or an agency. */
@Tag("process")
final class DeliveryBindingIT extends DeliveryRig {
  private String key(String name, String bound) throws Exception {
    return server.key(
        "{\"name\":\"%s\",\"scopes\":[\"read\",\"operate\"],%s}".formatted(name, bound));
  }

  private int step(String key, String id, String step) throws Exception {
    return callWith(key, "POST", "/v1/deliveries/" + id + "/" + step, "").status();
  }

  private List<String> listed(String key) throws Exception {
    return callWith(key, "GET", "/v1/deliveries", "")
        .json()
        .path("items")
        .valueStream()
        .map(item -> item.path("id").asString())
        .toList();
  }

  @Test
  void rider_seesAndMovesWhatItHas() throws Exception {
    String mine = assigned("1");
    String others = created(order("2"));
    String key = key("r", "\"rider\":\"r-1\"");
    assertThat(listed(key)).containsExactly(mine);
    assertThat(callWith(key, "GET", "/v1/deliveries/" + mine, "").status()).isEqualTo(200);
    assertThat(callWith(key, "GET", "/v1/deliveries/" + others, "").status()).isEqualTo(403);
    assertThat(callWith(key, "GET", "/v1/deliveries?riderId=r-2", "").status()).isEqualTo(403);
    assertThat(step(key, mine, "cancel")).isEqualTo(403);
    assertThat(step(key, others, "pickup")).isEqualTo(403);
    assertThat(callWith(key, "POST", "/v1/deliveries", order("3")).status()).isEqualTo(403);
    assertThat(step(key, mine, "pickup")).isEqualTo(200);
    assertThat(step(key, mine, "complete")).isEqualTo(200);
  }

  @Test
  void shop_createsAndCancelsItsOwn() throws Exception {
    String others = created(order("1", "shop-2", ""));
    String key = key("s", "\"shop\":\"shop-1\"");
    Reply created = callWith(key, "POST", "/v1/deliveries", order("1"));
    assertThat(created.status()).isEqualTo(201);
    String mine = created.at("/id");
    assertThat(callWith(key, "POST", "/v1/deliveries", order("2", "shop-2", "")).status())
        .isEqualTo(403);
    Reply mixed =
        callWith(key, "POST", "/v1/deliveries", "[" + order("3") + "," + order("4", "x", "") + "]");
    assertThat(mixed.status()).isEqualTo(403);
    assertThat(listed(key)).containsExactly(mine);
    assertThat(callWith(key, "GET", "/v1/deliveries/" + others + "/events", "").status())
        .isEqualTo(403);
    assertThat(step(key, mine, "accept")).isEqualTo(403);
    assertThat(step(key, others, "cancel")).isEqualTo(403);
    assertThat(step(key, mine, "cancel")).isEqualTo(200);
  }

  @Test
  void agency_takesWhatNobodyHas_andThenHasIt() throws Exception {
    String key = key("a", "\"agency\":\"agency-1\"");
    String other = key("b", "\"agency\":\"agency-2\"");
    String id = created(order("1"));
    assertThat(callWith(key, "GET", "/v1/deliveries/" + id, "").status()).isEqualTo(403);
    assertThat(step(key, id, "accept")).isEqualTo(200);
    assertThat(delivery(id).path("agencyId").asString()).isEqualTo("agency-1");
    assertThat(step(other, id, "decline")).isEqualTo(403);
    assertThat(listed(key)).containsExactly(id);
    assertThat(listed(other)).isEmpty();
    assertThat(
            callWith(key, "POST", "/v1/deliveries/" + id + "/assign", "{\"riderId\":\"r-1\"}")
                .status())
        .isEqualTo(200);
    String given = created(order("2", "shop-1", ",\"agencyId\":\"agency-2\""));
    assertThat(step(key, given, "accept")).isEqualTo(403);
    assertThat(step(other, given, "accept")).isEqualTo(200);
  }
}
