package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.http.OwnershipRule;
import gilmok.http.Route;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 9: every route, requested with a key that is bound to somebody else. */
@Tag("process")
final class OwnershipIT {
  /** Bodies with another's data, for routes that find the owner in the body. */
  private static final Map<String, String> BODIES =
      Map.of(
          "POST /v1/traces",
          "[{\"riderId\":\"mine\",\"at\":1,\"lat\":1,\"lon\":1},"
              + "{\"riderId\":\"other\",\"at\":1,\"lat\":1,\"lon\":1}]",
          "POST /v1/actions",
          "{\"riderId\":\"other\",\"at\":1,\"type\":\"accept\"}",
          "POST /v1/logs",
          "{\"riderId\":\"other\",\"at\":1,\"level\":\"info\",\"message\":\"m\"}",
          "POST /v1/deliveries",
          DeliveryRig.order("2", "other", ""),
          "PUT /v1/partners/{id}",
          "{\"kind\":\"shop\",\"url\":\"https://example.com/\",\"events\":[\"*\"],"
              + "\"secret\":\"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\"}");

  /** Phone apps' uploads with another's id, by route: what follows the path, then the body. */
  static final Map<String, List<String>> UPLOADS =
      Map.of(
          "GET /?id",
          List.of("=other&lat=1&lon=1", ""),
          "GET /?deviceid",
          List.of("=other&lat=1&lon=1", ""),
          "POST /",
          List.of("", "[{\"id\":\"other\",\"lat\":1,\"lon\":1}]"),
          "GET /osmand",
          List.of("?id=other&lat=1&lon=1", ""),
          "POST /osmand",
          List.of(
              "",
              "{\"location\":{\"timestamp\":\"2026-03-01T09:00:00Z\",\"coords\":{\"latitude\":1,\"longitude\":1}},"
                  + "\"device_id\":\"other\"}"),
          "GET /gpslogger",
          List.of("?id=other&lat=1&lon=1&spd=1", ""),
          "POST /gpslogger",
          List.of("?id=other&lat=1&lon=1&spd=1", ""),
          "POST /pub",
          List.of("?u=other&d=p", "{\"_type\":\"location\",\"lat\":1,\"lon\":1,\"tst\":1}"),
          "POST /owntracks",
          List.of("?u=other&d=p", "{\"_type\":\"card\"}"),
          "POST /overland",
          List.of(
              "",
              "{\"locations\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\","
                  + "\"coordinates\":[1,1]},\"properties\":{\"device_id\":\"other\","
                  + "\"timestamp\":\"2026-03-01T09:00:00Z\"}}]}"));

  @TempDir Path data;

  @Test
  void everyRoute_withAnothersId_is403() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      server.post("/v1/traces", "{\"riderId\":\"other\",\"at\":1,\"lat\":1,\"lon\":1}");
      String order = DeliveryRig.order("1", "other", ",\"agencyId\":\"other\"");
      String delivery = server.post("/v1/deliveries", order).json().path("id").asString();
      String job =
          server.get("/v1/performance?from=2026-03-01&to=2026-03-01").json().path("job").asString();
      String scopes = "\"scopes\":[\"collect\",\"read\",\"operate\"]";
      for (String bound :
          new String[] {"\"rider\":\"mine\"", "\"shop\":\"mine\"", "\"agency\":\"mine\""}) {
        String key =
            server.key("{\"name\":" + bound.split(":", -1)[0] + "," + scopes + "," + bound + "}");
        int tried = 0;
        for (Route route : server.server().routes()) {
          if (route.ownershipRule() != OwnershipRule.OPEN) {
            String another = route.path().contains("/jobs/") ? job : delivery;
            assertThat(attempt(server, key, route, another).status())
                .as(bound + " at " + route.method() + " " + route.path())
                .isEqualTo(403);
            tried++;
          }
        }
        assertThat(tried).isGreaterThanOrEqualTo(7);
      }
    }
  }

  @Test
  void boundKey_withItsOwnId_isLetIn() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      String key =
          server.key("{\"name\":\"p\",\"scopes\":[\"collect\",\"read\"],\"rider\":\"mine\"}");
      String mine = "{\"riderId\":\"mine\",\"at\":1,\"lat\":1,\"lon\":1}";
      assertThat(server.send(key, "POST", "/v1/traces", "application/json", mine).status())
          .isEqualTo(202);
      assertThat(server.send(key, "GET", "/v1/riders/mine/position", "", "").status())
          .isIn(200, 404);
    }
  }

  private static Reply attempt(RunningServer server, String key, Route route, String delivery)
      throws Exception {
    String body = route.path().endsWith("/assign") ? "{\"riderId\":\"mine\"}" : "";
    String another = route.ownershipRule() == OwnershipRule.BY_ID ? delivery : "other";
    String target = route.path().replaceAll("\\{\\w+}", another);
    if (route.ownershipRule() == OwnershipRule.PHONE) {
      List<String> upload = UPLOADS.getOrDefault(route.method() + " " + route.path(), List.of());
      assertThat(upload).as("an upload to " + route.path() + " in this test").hasSize(2);
      target += upload.getFirst();
      body = upload.getLast();
    }
    if (route.ownershipRule() == OwnershipRule.IN_QUERY) {
      target += "?";
      for (String name : List.of("rider*", "rider", "riderId", "shopId", "agencyId", "kind")) {
        if (route.queryParameters().contains(name)) {
          target += name.replace("*", "") + (name.equals("kind") ? "=shop&" : "=other&");
        }
      }
    }
    if (route.ownershipRule() == OwnershipRule.IN_BODY) {
      body = BODIES.getOrDefault(route.method() + " " + route.path(), "");
      assertThat(body).as("a body for " + route.path() + " in this test").isNotEmpty();
    }
    return server.send(key, route.method(), target, "application/json", body);
  }
}
