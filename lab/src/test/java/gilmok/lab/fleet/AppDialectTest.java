package gilmok.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class AppDialectTest {
  private static final long AT = 1_772_330_400_500L;
  private static final Fix MOVING =
      new Fix(AT, 37.51234567, -0.5, 4.24, 10, 270.4, 31.26, 0.876, 3, false);
  private static final Fix STANDING =
      new Fix(AT + 3_000, 37.5, 127.01, 12.3, 0, Double.NaN, -2.04, 1, 0, true);

  private final Phone phone = new Fleet(new Fleet.Plan(1, 1, AT, 1)).phones().getFirst();

  @Test
  void traces_saysEverythingInSi() {
    Message message = AppDialect.TRACES.message(phone, List.of(MOVING, STANDING), "k");
    assertThat(message.path()).isEqualTo("/v1/traces");
    assertThat(message.header() + message.credential()).isEqualTo("X-Api-Keyk");
    JsonNode both = JsonMapper.shared().readTree(message.body());
    JsonNode one = both.get(0);
    assertThat(one.get("riderId").asString()).isEqualTo("rider-0001");
    assertThat(one.get("at").asLong()).isEqualTo(AT);
    assertThat(one.get("lat").asDouble()).isEqualTo(37.5123457);
    assertThat(one.get("lon").asDouble()).isEqualTo(-0.5);
    assertThat(one.get("speed").asDouble()).isEqualTo(10);
    assertThat(one.get("bearing").asDouble()).isEqualTo(270);
    assertThat(one.get("altitude").asDouble()).isEqualTo(31.3);
    assertThat(one.get("battery").asDouble()).isEqualTo(0.88);
    assertThat(one.get("deliveryId").asString()).isEqualTo("rider-0001-3");
    JsonNode other = both.get(1);
    assertThat(other.has("bearing")).isFalse();
    assertThat(other.has("deliveryId")).isFalse();
    assertThat(other.get("altitude").asDouble()).isEqualTo(-2.0);
  }

  @Test
  void osmandAndTraccar_sayKnotsAndTheirOwnTimes() {
    Message query = AppDialect.OSMAND.message(phone, List.of(MOVING), "k");
    assertThat(query.method()).isEqualTo("GET");
    assertThat(query.path())
        .startsWith("/osmand?id=rider-0001&timestamp=" + AT + "&lat=37.5123457&lon=-0.5000000")
        .contains("&speed=19.44&", "&bearing=270&", "&batt=88&")
        .endsWith("&deliveryId=rider-0001-3");
    Message form = AppDialect.TRACCAR.message(phone, List.of(STANDING), "k");
    assertThat(form.path()).isEqualTo("/");
    assertThat(form.body())
        .startsWith("id=rider-0001&timestamp=" + (AT + 3_000) / 1000 + "&lat=")
        .contains("&speed=0.00&")
        .doesNotContain("bearing", "deliveryId");
  }

  @Test
  void overland_isGeoJson() {
    Message message = AppDialect.OVERLAND.message(phone, List.of(MOVING, STANDING), "k");
    assertThat(message.header() + ' ' + message.credential()).isEqualTo("Authorization Bearer k");
    JsonNode locations = JsonMapper.shared().readTree(message.body()).get("locations");
    assertThat(locations.size()).isEqualTo(2);
    JsonNode first = locations.get(0);
    assertThat(first.get("geometry").get("coordinates").get(1).asDouble()).isEqualTo(37.5123457);
    assertThat(first.get("properties").get("timestamp").asString())
        .isEqualTo("2026-03-01T02:00:00.500Z");
    assertThat(first.get("properties").get("deliveryId").asString()).isEqualTo("rider-0001-3");
    assertThat(first.get("properties").get("device_id").asString()).isEqualTo("rider-0001");
    assertThat(locations.get(1).get("properties").get("course").asInt()).isEqualTo(-1);
  }

  @Test
  void owntracks_saysKmPerHour_deviceIsTheRider() {
    Message message = AppDialect.OWNTRACKS.message(phone, List.of(MOVING), "k");
    assertThat(message.path()).isEqualTo("/pub?u=rider&d=0001");
    assertThat(message.credential()).isEqualTo("Basic cmlkZXI6aw==");
    JsonNode location = JsonMapper.shared().readTree(message.body());
    assertThat(location.get("_type").asString()).isEqualTo("location");
    assertThat(location.get("vel").asInt()).isEqualTo(36);
    assertThat(location.get("tst").asLong()).isEqualTo(AT / 1000);
    assertThat(location.get("cog").asInt()).isEqualTo(270);
    assertThat(location.get("deliveryId").asString()).isEqualTo("rider-0001-3");
  }
}
