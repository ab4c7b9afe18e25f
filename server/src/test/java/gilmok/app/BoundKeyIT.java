package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.http.Owner;
import gilmok.http.Route;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 9: every route, tried with a key that is bound to somebody else. */
final class BoundKeyIT {
  /** What the other rider's business looks like, for routes that find it in the body. */
  private static final Map<String, String> BODIES =
      Map.of(
          "POST /v1/traces",
          "[{\"riderId\":\"mine\",\"at\":1,\"lat\":1,\"lon\":1},"
              + "{\"riderId\":\"other\",\"at\":1,\"lat\":1,\"lon\":1}]",
          "POST /v1/actions",
          "{\"riderId\":\"other\",\"at\":1,\"type\":\"accept\"}",
          "POST /v1/logs",
          "{\"riderId\":\"other\",\"at\":1,\"level\":\"info\",\"message\":\"m\"}");

  @TempDir Path data;

  @Test
  void everyRoute_withAnothersId_is403() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      server.post("/v1/traces", "{\"riderId\":\"other\",\"at\":1,\"lat\":1,\"lon\":1}");
      String scopes = "\"scopes\":[\"collect\",\"read\",\"operate\"]";
      for (String bound :
          new String[] {"\"rider\":\"mine\"", "\"shop\":\"mine\"", "\"agency\":\"mine\""}) {
        String key =
            server.key("{\"name\":" + bound.split(":", -1)[0] + "," + scopes + "," + bound + "}");
        int tried = 0;
        for (Route route : server.server().routes()) {
          if (route.owner() != Owner.OPEN) {
            assertThat(attempt(server, key, route).status())
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

  private static Reply attempt(RunningServer server, String key, Route route) throws Exception {
    String body = "";
    if (route.owner() == Owner.IN_BODY) {
      body = BODIES.getOrDefault(route.method() + " " + route.path(), "");
      assertThat(body).as("a body for " + route.path() + " in this test").isNotEmpty();
    }
    return server.send(
        key,
        route.method(),
        route.path().replaceAll("\\{\\w+}", "other")
            + (route.owner() == Owner.IN_QUERY ? "?rider=other" : ""),
        "application/json",
        body);
  }
}
