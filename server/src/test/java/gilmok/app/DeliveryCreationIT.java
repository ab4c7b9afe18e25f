package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The creation of deliveries: once, repeated, and in batches. */
@Tag("process")
final class DeliveryCreationIT extends DeliveryRig {
  private static final String KEY = "Idempotency-Key";
  private static final String PATH = "/v1/deliveries";

  @Test
  void theSameKeyAgain_isTheSameAnswer_alsoWhenItHasMovedOn() throws Exception {
    Reply first = call("POST", PATH, order("1"), KEY, "a");
    String id = first.at("/id");
    step(id, "accept", "");
    Reply again = call("POST", PATH, " " + order("1").replace(":", " : "), KEY, "a");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("location")).isEqualTo(first.header("location"));
    Reply other = call("POST", PATH, order("2"), KEY, "a");
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.at("/type") + other.at("/field")).isEqualTo("/docs/errors#body-differs" + KEY);
    Reply taken = call("POST", PATH, order("1"));
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.at("/field") + taken.at("/delivery/id")).isEqualTo("orderId" + id);
    assertThat(call("POST", PATH, order("1", "shop-2", "")).status()).isEqualTo(201);
    for (String bad : List.of("", "a b", "x".repeat(256))) {
      assertThat(call("POST", PATH, order("9"), KEY, bad).at("/field")).as(bad).isEqualTo(KEY);
    }
  }

  @Test
  void dueBeforeItIsReady_isRefused() throws Exception {
    Reply bad = call("POST", PATH, order("1", "s", ",\"readyAt\":2000,\"dueBy\":1000"));
    assertThat(bad.status()).isEqualTo(400);
    assertThat(bad.at("/field") + " " + bad.at("/reason")).isEqualTo("dueBy is before readyAt");
    assertThat(call("POST", PATH, order("1", "s", ",\"readyAt\":1000,\"dueBy\":1000")).status())
        .isEqualTo(201);
  }

  @Test
  void keysOfTwoAskers_doNotMeet() throws Exception {
    String one = server.key("{\"name\":\"one\",\"scopes\":[\"operate\"],\"shop\":\"s-1\"}");
    String two = server.key("{\"name\":\"two\",\"scopes\":[\"operate\"],\"shop\":\"s-2\"}");
    Reply first = callWith(one, "POST", PATH, order("1", "s-1", ""), KEY, "k");
    Reply second = callWith(two, "POST", PATH, order("1", "s-2", ""), KEY, "k");
    assertThat(List.of(first.status(), second.status())).containsExactly(201, 201);
    assertThat(first.at("/id")).isNotEqualTo(second.at("/id"));
  }

  @Test
  void many_areCreatedEachByItself() throws Exception {
    String taken = created(order("2"));
    String body =
        "[%s,%s,%s,%s,7]"
            .formatted(order("1"), order("2"), order("3").replace("37.5", "97.5"), order("1"));
    Reply reply = call("POST", PATH, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(statuses(reply)).containsExactly(201, 409, 400, 409, 400);
    assertThat(reply.at("/items/0/delivery/status")).isEqualTo("NEW");
    assertThat(reply.at("/items/1/delivery/id")).isEqualTo(taken);
    assertThat(reply.at("/items/2/error/field")).isEqualTo("pickup.lat");
    assertThat(reply.at("/items/3/delivery/id")).isEqualTo(reply.at("/items/0/delivery/id"));
    assertThat(reply.at("/items/4/error/field")).isEqualTo("body");
    assertThat(delivery(reply.at("/items/0/delivery/id")).path("orderId").asString())
        .isEqualTo("1");
  }

  @Test
  void lines_areCreated_andSentAgainWithAKey_answeredAsBefore() throws Exception {
    String lines = order("1") + "\n{\n\n" + order("2") + "\n";
    Reply first = call("POST", PATH, lines, KEY, "k", "Content-Type", "application/x-ndjson");
    assertThat(statuses(first)).containsExactly(201, 400, 201);
    Reply again = call("POST", PATH, lines, KEY, "k", "Content-Type", "application/x-ndjson");
    assertThat(again.body()).isEqualTo(first.body());
    Reply other = call("POST", PATH, "[" + order("1") + "," + order("3") + "]", KEY, "k");
    assertThat(statuses(other)).containsExactly(201, 201);
    Reply changed = call("POST", PATH, "[" + order("4") + "]", KEY, "k");
    assertThat(statuses(changed)).containsExactly(422);
  }

  @Test
  void aThousand_isTheBound() throws Exception {
    String thousand =
        IntStream.range(0, 1000).mapToObj(i -> order("o" + i)).collect(Collectors.joining(","));
    Reply reply = call("POST", PATH, "[" + thousand + "]");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(statuses(reply)).hasSize(1000).allMatch(status -> status == 201);
    Reply tooMany = call("POST", PATH, "[" + thousand + "," + order("x") + "]");
    assertThat(tooMany.status()).isEqualTo(413);
    assertThat(call("POST", PATH, "[]").status()).isEqualTo(400);
    assertThat(call("GET", PATH + "?limit=1000", "").json().path("items").size()).isEqualTo(1000);
  }

  private static List<Integer> statuses(Reply reply) {
    return reply
        .json()
        .path("items")
        .valueStream()
        .map((JsonNode item) -> item.path("status").asInt())
        .toList();
  }
}
