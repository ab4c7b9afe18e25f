package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import gilmok.app.RunningServer.Reply;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What riders do on a day, and the page that shows it. */
class RiderDayRig extends PageRig {
  static final ZoneId SEOUL = ZoneId.of("Asia/Seoul");
  private static final int AT_ONCE = 1000;

  final LocalDate yesterday = LocalDate.now(SEOUL).minusDays(1);

  // What riders do.

  /** Rides east along 37.5° from 127° on: 0.0001° and 10 m/s each second. */
  void ride(String rider, LocalDate date, String from, int count, int everySeconds)
      throws Exception {
    Instant begin = at(date, from);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long seconds = (long) i * everySeconds;
      // Back and forth within 0.1°.
      double way = seconds % 2000 / 1e4;
      double lon = 127 + (way > 0.1 ? 0.2 - way : way);
      all.add(position(rider, begin.plusSeconds(seconds), 37.5, lon));
    }
    post(all);
  }

  void post(List<String> positions) throws Exception {
    for (int from = 0; from < positions.size(); from += AT_ONCE) {
      String some =
          positions.stream().skip(from).limit(AT_ONCE).collect(Collectors.joining(",", "[", "]"));
      assertThat(server.post("/v1/traces", some).status()).isEqualTo(202);
    }
  }

  static Instant at(LocalDate date, String time) {
    return date.atTime(LocalTime.parse(time)).atZone(SEOUL).toInstant();
  }

  static String position(String rider, Instant at, double lat, double lon) {
    return "{\"riderId\":\"%s\",\"at\":\"%s\",\"lat\":%s,\"lon\":%.7f,\"speed\":10}"
        .formatted(rider, at, lat, lon);
  }

  void delivered(String order, String rider) throws Exception {
    String body =
        """
        {"orderId":"%s","shopId":"shop-1",
         "pickup":{"lat":37.571,"lon":126.992,"address":"Teheran-ro 1"},
         "dropoff":{"lat":37.568,"lon":126.998,"address":"Door 9"}}
        """
            .formatted(order);
    Reply created = server.post("/v1/deliveries", body);
    String id = created.json().path("id").asString();
    step(id, "accept", "{}");
    step(id, "assign", "{\"riderId\":\"" + rider + "\"}");
    step(id, "pickup", "{}");
    step(id, "complete", "{}");
  }

  void step(String id, String step, String body) throws Exception {
    assertThat(server.post("/v1/deliveries/" + id + "/" + step, body).status()).isEqualTo(200);
  }

  // The page.

  MapPage choose(Page page, String key, String rider) {
    MapPage map = new MapPage(page, server).open().give(key).awaitLive();
    map.rider(rider);
    map.find("#search").fill(rider);
    map.find("#search").press("Enter");
    map.await("window.gilmok.chosen() === '" + rider + "'");
    return map;
  }

  MapPage open(String key, String hash) {
    return open(chromium.page(), key, hash);
  }

  MapPage open(Page page, String key, String hash) {
    page.navigate(server.uri("/").toString() + "#" + hash);
    return new MapPage(page, server).give(key).awaitLive();
  }

  static void loaded(MapPage map, int lane, int positions) {
    map.await(
        "window.gilmok.days()[%d]?.positions === %d && !window.gilmok.days()[%d].isLoading"
            .formatted(lane, positions, lane));
  }

  static void said(MapPage map, String words) {
    map.await("document.querySelector('.day-said')?.textContent.includes(\"" + words + "\")");
  }

  static JsonNode day(MapPage map, int lane) {
    String all = (String) map.page.evaluate("() => JSON.stringify(window.gilmok.days())");
    return JsonMapper.shared().readTree(all).get(lane);
  }

  static String hash(MapPage map) {
    return (String) map.page.evaluate("() => location.hash");
  }

  /** Moves the map as a link does that says the same days. */
  static void look(MapPage map, double lat, double lon, double zoom) {
    map.page.evaluate(
        "(place) => (location.hash = [place, ...location.hash.slice(1).split('&')"
            + ".filter((part) => !part.startsWith('map='))].join('&'))",
        "map=" + (zoom % 1 == 0 ? "%.0f" : "%s").formatted(zoom) + "/" + lat + "/" + lon);
    map.await(
        "!window.gilmok.camera().isMoving && Math.abs(window.gilmok.camera().zoom - %s) < 0.01"
            .formatted(zoom));
  }

  /** Where a place is on the page. */
  static int[] pixel(MapPage map, double lat, double lon) {
    String at =
        (String)
            map.page.evaluate(
                "([lat, lon]) => JSON.stringify(window.gilmok.pixel(lat, lon))", List.of(lat, lon));
    JsonNode both = JsonMapper.shared().readTree(at);
    return IntStream.range(0, 2).map(i -> (int) Math.round(both.get(i).asDouble())).toArray();
  }

  static Route.FulfillOptions refusal(int status) {
    return new Route.FulfillOptions()
        .setStatus(status)
        .setContentType("application/problem+json")
        .setBody("{\"title\":\"refused\",\"status\":" + status + "}");
  }
}
