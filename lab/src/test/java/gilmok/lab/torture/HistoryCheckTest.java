package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.crash.Violations;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class HistoryCheckTest {
  private static final List<Edge> STORY =
      List.of(Edge.ACCEPTED, Edge.ASSIGNED, Edge.PICKED_UP, Edge.COMPLETED);

  private final Violations findings = new Violations();

  @Test
  void check_asAskedFor_isRight() {
    check("COMPLETED", 5, "created", "accepted", "assigned", "picked_up", "completed");
    assertThat(findings.first()).isEmpty();
  }

  @Test
  void check_acknowledgedStepMissing_isNoticed() {
    check("PICKED_UP", 4, "created", "accepted", "assigned", "picked_up");
    assertThat(findings.first()).singleElement().asString().contains("answered as COMPLETED");
  }

  @Test
  void check_eventMissing_isNoticed() {
    check("COMPLETED", 5, "created", "accepted", "assigned", "picked_up");
    assertThat(findings.first()).singleElement().asString().contains("only 4 are there");
  }

  @Test
  void check_eventTwice_isNoticed() {
    Order order = order(STORY, 5);
    HistoryCheck.check(
        order,
        JsonMapper.shared().readTree("{\"version\":5,\"status\":\"COMPLETED\"}"),
        JsonMapper.shared()
            .readTree("{\"items\":[" + event(1, "created") + "," + event(1, "created") + "]}"),
        findings);
    assertThat(findings.first()).singleElement().asString().contains("event 1 comes after 1");
  }

  @Test
  void check_anotherEvent_isNoticed() {
    check("COMPLETED", 5, "created", "accepted", "assigned", "failed", "completed");
    assertThat(findings.first()).singleElement().asString().contains("nobody asked for");
  }

  @Test
  void check_notAllowed_isNoticed() {
    Order order = order(List.of(Edge.ACCEPTED, Edge.COMPLETED), 3);
    HistoryCheck.check(
        order,
        JsonMapper.shared().readTree("{\"version\":3,\"status\":\"COMPLETED\"}"),
        events("created", "accepted", "completed"),
        findings);
    assertThat(findings.first())
        .singleElement()
        .asString()
        .contains("COMPLETED is not allowed from ACCEPTED");
  }

  private void check(String status, int version, String... types) {
    HistoryCheck.check(
        order(STORY, 5),
        JsonMapper.shared()
            .readTree("{\"version\":%d,\"status\":\"%s\"}".formatted(version, status)),
        events(types),
        findings);
  }

  private static Order order(List<Edge> story, int version) {
    Order order = new Order(1, Order.Shop.GOOD, "earner-1", story, false);
    order.created("d1");
    order.reached(version);
    return order;
  }

  private static JsonNode events(String... types) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < types.length; i++) {
      all.append(i == 0 ? "" : ",").append(event(i + 1, types[i]));
    }
    return JsonMapper.shared().readTree("{\"items\":[" + all + "]}");
  }

  private static String event(int sequence, String type) {
    return "{\"sequence\":%d,\"type\":\"delivery.%s\"}".formatted(sequence, type);
  }
}
