package gilmok.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class PositionsTemplateTest {
  private static final long START_MILLIS = 1_763_700_000_123L;

  @Test
  void next_manyRequests_everyPositionIsValidAndUnique() {
    Set<String> riderAndTime = new HashSet<>();
    Set<Integer> lengths = new HashSet<>();
    for (int lane = 0; lane < 2; lane++) {
      PositionsTemplate template = new PositionsTemplate(plan(7, 10, false), lane, 2, START_MILLIS);
      for (int i = 0; i < 100; i++) {
        byte[] request = template.next();
        lengths.add(request.length);
        for (JsonNode position : body(request)) {
          check(position);
          assertThat(riderAndTime.add(position.get("riderId") + " " + position.get("at"))).isTrue();
        }
      }
    }
    assertThat(riderAndTime).hasSize(1_400);
    assertThat(lengths).hasSize(1);
  }

  @Test
  void next_withIds_everyIdIsUnique() {
    PositionsTemplate template = new PositionsTemplate(plan(1, 2, true), 0, 2, START_MILLIS);
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      assertThat(ids.add(body(template.next()).get("id").asString())).isTrue();
    }
  }

  @Test
  void next_onePosition_isAnObjectAndContentLengthIsItsLength() {
    String request =
        new String(
            new PositionsTemplate(plan(1, 2, false), 0, 2, START_MILLIS).next(),
            StandardCharsets.ISO_8859_1);
    String body = request.substring(request.indexOf("\r\n\r\n") + 4);
    assertThat(body).startsWith("{\"riderId\"");
    assertThat(request).contains("Content-Length: " + body.length() + "\r\n");
    assertThat(request).contains("X-Api-Key: gk_a_b\r\n");
  }

  private static void check(JsonNode position) {
    assertThat(position.get("riderId").asString()).matches("rider-[0-9]{6}");
    assertThat(position.get("at").asLong()).isBetween(START_MILLIS, START_MILLIS + 10_000);
    assertThat(position.get("lat").asDouble()).isBetween(37.4, 37.6);
    assertThat(position.get("lon").asDouble()).isBetween(126.8, 127.0);
    assertThat(position.get("bearing").asInt()).isBetween(200, 299);
    assertThat(position.get("battery").asDouble()).isBetween(0.1, 1.0);
  }

  private static JsonNode body(byte[] request) {
    String text = new String(request, StandardCharsets.ISO_8859_1);
    return JsonMapper.shared().readTree(text.substring(text.indexOf("\r\n\r\n") + 4));
  }

  private static PositionsWorkload.Plan plan(int positions, int riders, boolean ids) {
    return new PositionsWorkload.Plan("/v1/traces", "gk_a_b", positions, riders, ids);
  }
}
