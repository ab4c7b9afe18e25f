package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.geo.Distance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Searches for riders near a place and in a box, compared with a scan of all riders. */
@Tag("server")
final class NearIT {
  private static final double LAT = 37.5665;
  private static final double LON = 126.978;

  @TempDir Path data;

  private record Rider(String id, double lat, double lon) {
    double metres(double lat, double lon) {
      return Distance.metres(lat, lon, this.lat, this.lon);
    }
  }

  @Test
  void near_amongMany_answersTheNearestInOrder() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      List<Rider> riders = riders(700, 37.43, 0.27, 126.77, 0.41);
      post(server, riders, System.currentTimeMillis());
      assertFound(server, "/v1/riders?near=37.5665,126.978", riders, LAT, LON, 2000, 10);
      assertFound(
          server, "/v1/riders?near=37.5665,126.978&radius=750.5", riders, LAT, LON, 750.5, 10);
      assertFound(
          server,
          "/v1/riders?near=37.5665,126.978&radius=20037509&limit=1000",
          riders,
          LAT,
          LON,
          3e7,
          1000);
      JsonNode first =
          server.get("/v1/riders?near=37.5665,126.978&radius=50000").json().get("items").get(0);
      Reply position = server.get("/v1/riders/" + first.get("riderId").asString() + "/position");
      assertThat(first.get("position")).isEqualTo(position.json());
    }
  }

  @Test
  void bbox_answersThoseInIt_nearestToItsCentreFirst_alsoOverTheAntimeridian() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      List<Rider> seoul = riders(300, 37.43, 0.27, 126.77, 0.41);
      List<Rider> fiji = new ArrayList<>();
      for (Rider rider : riders(300, -20, 8, 174, 12)) {
        double lon = rider.lon > 180 ? rider.lon - 360 : rider.lon;
        fiji.add(new Rider("f" + rider.id, rider.lat, lon));
      }
      post(server, seoul, System.currentTimeMillis());
      post(server, fiji, System.currentTimeMillis());
      List<Rider> inside =
          seoul.stream()
              .filter(r -> r.lon >= 126.9 && r.lon <= 127 && r.lat >= 37.5 && r.lat <= 37.6)
              .toList();
      assertThat(inside).hasSizeGreaterThan(10);
      assertFound(server, "/v1/riders?bbox=126.9,37.5,127,37.6", inside, 37.55, 126.95, 3e7, 1000);
      assertFound(
          server, "/v1/riders?bbox=126.9,37.5,127,37.6&limit=3", inside, 37.55, 126.95, 3e7, 3);
      List<Rider> across =
          fiji.stream()
              .filter(r -> (r.lon >= 178 || r.lon <= -176) && r.lat >= -18 && r.lat <= -14)
              .toList();
      assertThat(across).hasSizeGreaterThan(10);
      assertFound(server, "/v1/riders?bbox=178,-18,-176,-14", across, -16, -179, 3e7, 1000);
    }
  }

  @Test
  void maxAge_leavesOutOldFixes() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      long now = System.currentTimeMillis();
      post(server, List.of(new Rider("old", LAT, LON)), now - 3_600_000);
      post(server, List.of(new Rider("young", LAT, LON + 0.001)), now);
      String near = "/v1/riders?near=37.5665,126.978";
      assertThat(ids(server, near, 2)).containsExactly("old", "young");
      assertThat(ids(server, near + "&maxAge=600", 1)).containsExactly("young");
      assertThat(ids(server, near + "&maxAge=7200", 2)).containsExactly("old", "young");
      assertThat(ids(server, "/v1/riders?bbox=126,37,128,38&maxAge=600", 1))
          .containsExactly("young");
    }
  }

  @Test
  void latePoints_andClocksInTheFuture_moveNobody() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      long now = System.currentTimeMillis();
      post(server, List.of(new Rider("r", LAT, LON)), now);
      post(server, List.of(new Rider("r", 10, 10)), now - 1000);
      post(server, List.of(new Rider("r", 20, 20)), now + 11 * 60_000);
      post(server, List.of(new Rider("after", LAT, LON + 0.001)), now);
      assertThat(ids(server, "/v1/riders?near=37.5665,126.978", 2)).containsExactly("r", "after");
      assertThat(ids(server, "/v1/riders?near=10,10", 0)).isEmpty();
      assertThat(ids(server, "/v1/riders?near=20,20", 0)).isEmpty();
      post(server, List.of(new Rider("r", 30, 30)), now + 1);
      assertThat(ids(server, "/v1/riders?near=30,30", 1)).containsExactly("r");
      assertThat(ids(server, "/v1/riders?near=37.5665,126.978", 1)).containsExactly("after");
    }
  }

  @Test
  void wrongParameters_areNamedWithTheReason() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      assertWrong(server, "", "near", "missing; or give bbox");
      assertWrong(server, "near=1,2&bbox=1,2,3,4", "bbox", "not together with near");
      for (String near : List.of("", "1", "1,", "1,2,3", "a,b", "1;2", "1,2x", "NaN,1", "1,0x1")) {
        assertWrong(server, "near=" + near, "near", "not of the form lat,lon");
      }
      assertWrong(server, "near=90.1,2", "near", "a latitude is over 90 degrees");
      assertWrong(server, "near=1,-180.01", "near", "a longitude is over 180 degrees");
      assertWrong(server, "near=1,2&radius=-1", "radius", "not from 0 to 20037509");
      assertWrong(server, "near=1,2&radius=20037510", "radius", "not from 0 to 20037509");
      assertWrong(server, "near=1,2&radius=far", "radius", "not a number");
      assertWrong(server, "near=1,2&limit=0", "limit", "not from 1 to 1000");
      assertWrong(server, "near=1,2&limit=1001", "limit", "not from 1 to 1000");
      assertWrong(server, "near=1,2&limit=-5", "limit", "not a whole number");
      assertWrong(server, "near=1,2&limit=99999999999999", "limit", "not from 1 to 1000");
      assertWrong(server, "near=1,2&maxAge=1.5", "maxAge", "not a whole number");
      assertWrong(server, "near=1,2&maxAge=", "maxAge", "not a whole number");
      String form = "not of the form minLon,minLat,maxLon,maxLat";
      assertWrong(server, "bbox=1,2,3", "bbox", form);
      assertWrong(server, "bbox=1,2,3,4,5", "bbox", form);
      assertWrong(server, "bbox=1,2,3,north", "bbox", form);
      assertWrong(server, "bbox=1,2,3,91", "bbox", "a latitude is over 90 degrees");
      assertWrong(server, "bbox=181,2,3,4", "bbox", "a longitude is over 180 degrees");
      assertWrong(server, "bbox=1,5,3,4", "bbox", "minLat is above maxLat");
      assertWrong(server, "bbox=1,2,3,4&limit=10001", "limit", "not from 1 to 10000");
      assertWrong(server, "bbox=1,2,3,4&radius=5", "radius", "only with near");
      assertThat(server.get("/v1/riders?near=-9e1,%2B1.8E2&radius=0").status()).isEqualTo(200);
    }
  }

  private static void assertWrong(RunningServer server, String query, String field, String reason)
      throws Exception {
    Reply reply = server.get("/v1/riders?" + query);
    assertThat(reply.status()).as(query).isEqualTo(400);
    assertThat(reply.json().get("field").asString()).as(query).isEqualTo(field);
    assertThat(reply.json().get("reason").asString()).as(query).isEqualTo(reason);
  }

  private static void assertFound(
      RunningServer server,
      String path,
      List<Rider> among,
      double lat,
      double lon,
      double radius,
      int limit)
      throws Exception {
    List<Rider> expected =
        among.stream()
            .filter(rider -> rider.metres(lat, lon) <= radius)
            .sorted(Comparator.comparingDouble(rider -> rider.metres(lat, lon)))
            .limit(limit)
            .toList();
    JsonNode items = found(server, path, expected.size());
    for (int i = 0; i < expected.size(); i++) {
      Rider rider = expected.get(i);
      assertThat(items.get(i).get("riderId").asString()).as(path + " " + i).isEqualTo(rider.id);
      double distance = items.get(i).get("distance").asDouble();
      assertThat(distance).isEqualTo(Math.round(10 * rider.metres(lat, lon)) / 10.0);
    }
  }

  private static List<String> ids(RunningServer server, String path, int expected)
      throws Exception {
    return found(server, path, expected)
        .valueStream()
        .map(item -> item.get("riderId").asString())
        .toList();
  }

  /** The items of an answer, once every record that was sent has reached the positions. */
  private static JsonNode found(RunningServer server, String path, int expected) throws Exception {
    server.awaitSeen();
    JsonNode items = server.get(path).json().get("items");
    assertThat(items.size()).as(path).isEqualTo(expected);
    return items;
  }

  private static List<Rider> riders(
      int count, double lat, double latSpan, double lon, double lonSpan) {
    Random random = new Random(11);
    List<Rider> riders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double x = Math.round(1e7 * (lat + latSpan * random.nextDouble())) / 1e7;
      double y = Math.round(1e7 * (lon + lonSpan * random.nextDouble())) / 1e7;
      riders.add(new Rider("r" + i, x, y));
    }
    return riders;
  }

  private static void post(RunningServer server, List<Rider> riders, long at) throws Exception {
    String body =
        riders.stream()
            .map(
                rider ->
                    "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%.7f,\"lon\":%.7f}"
                        .formatted(rider.id, at, rider.lat, rider.lon))
            .collect(Collectors.joining(",", "[", "]"));
    assertThat(server.post("/v1/traces", body).status()).isEqualTo(202);
  }
}
