package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.EventStream.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers that know each other's riders by what is between them, and nothing of each other.
 * What is sent to one is found at both, also after what is between them was away.
 */
abstract class FleetContract extends DeliveryRig {
  static final String READ = "gilmok_positions_fleet_read_total{result=\"%s\"}";
  static final String REBUILDS = "gilmok_positions_fleet_rebuilds_total";
  private static final String STALENESS = "gilmok_positions_fleet_staleness_seconds";
  private static final Pattern AGE =
      Pattern.compile("\"the positions of other nodes are \\d+ s old\"");

  @TempDir Path folder;

  final long now = System.currentTimeMillis();
  RunningServer other;

  @BeforeEach
  @Override
  void start() throws Exception {
    super.start();
    other = RunningServer.start(folder.resolve("other"), settings());
    server.awaitReady();
    other.awaitReady();
  }

  @AfterEach
  @Override
  void stop() throws Exception {
    other.close();
    super.stop();
  }

  /** What is between them is gone. */
  abstract void cut() throws Exception;

  /** What readiness says of that. */
  abstract String reason();

  /** It is back, with all that it had. */
  abstract void mend() throws Exception;

  @Test
  void aPositionSentToOne_isFoundAtTheOther_everywhere() throws Exception {
    String delivery = assigned("o-1");
    assertThat(step(delivery, "pickup", "").status()).isEqualTo(200);
    String link = call("POST", "/v1/deliveries/" + delivery + "/track", "").at("/url");
    try (EventStream here = new EventStream(server, client, "");
        EventStream there = new EventStream(other, client, "bbox=126,37,128,38")) {
      post(other, "r-1", now, 37.55);
      assertThat(there.next().rider()).isEqualTo("r-1");
      Event event = here.next();
      assertThat(event.rider()).isEqualTo("r-1");
      assertThat(event.json()).isEqualTo(other.get("/v1/riders/r-1/position").json());
      post(server, "r-2", now, 37.56);
      assertThat(there.next().rider()).isEqualTo("r-2");
      assertThat(here.next().rider()).isEqualTo("r-2");
    }
    for (RunningServer node : List.of(server, other)) {
      assertThat(node.get("/v1/riders/r-1/position").body()).contains("\"lat\":37.55,", "비");
      String near = node.get("/v1/riders?near=37.55,127&radius=2000").body();
      assertThat(near).contains("\"r-1\"", "\"r-2\"");
      String box = node.get("/v1/riders?bbox=126,37.555,128,38").body();
      assertThat(box).contains("\"r-2\"").doesNotContain("\"r-1\"");
      assertThat(node.metric("gilmok_positions_riders")).isEqualTo(2);
      Program.await(() -> node.metric(READ.formatted("own")) == 1);
      assertThat(node.metric(READ.formatted("taken"))).isEqualTo(1);
      assertThat(node.metric(READ.formatted("invalid"))).isZero();
      assertThat(node.metric(REBUILDS)).as("that of the start").isEqualTo(1);
      Program.await(() -> node.metric(STALENESS) == 0);
    }
    Reply seen = callWith("", "GET", link, "", "Accept", "application/json");
    assertThat(seen.at("/rider/lat")).as(seen.body()).isEqualTo("37.55");
  }

  @Test
  void anOlderFix_doesNotWin_whereverItCameFrom() throws Exception {
    post(server, "a", now, 1);
    post(other, "b", now, 2);
    awaitLat(server, "b", 2);
    awaitLat(other, "a", 1);
    post(server, "b", now - 1000, 3);
    post(other, "a", now - 1000, 4);
    for (RunningServer node : List.of(server, other)) {
      Program.await(() -> node.metric(READ.formatted("older")) == 1);
      assertThat(lat(node, "a")).isEqualTo(1);
      assertThat(lat(node, "b")).isEqualTo(2);
    }
  }

  @Test
  void away_everyoneServesItsOwn_saysSo_andCatchesUp() throws Exception {
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    cut();
    try {
      post(server, "own", now, 2);
      post(other, "a", now + 1, 3);
      post(other, "new", now, 4);
      awaitLat(server, "own", 2);
      Program.await(() -> ready().contains("not followed"));
      assertThat(ready()).contains(reason());
      assertThat(server.get("/health/ready").status()).as("its own riders").isEqualTo(200);
      String missing = "gilmok_missing{optional=\"true\",part=\"loop-fleet\"}";
      assertThat(server.metric(missing)).isEqualTo(1);
      Program.await(() -> server.metric(STALENESS) > 1);
      assertThat(lat(server, "a")).as("the last that it knows").isEqualTo(1);
      Program.await(() -> AGE.matcher(ready()).find());
    } finally {
      mend();
    }
    awaitLat(server, "a", 3);
    awaitLat(server, "new", 4);
    awaitLat(other, "own", 2);
    Program.await(() -> !ready().contains("not followed"));
    Program.await(() -> server.metric(STALENESS) == 0);
    assertThat(AGE.matcher(ready()).find()).isFalse();
    assertThat(server.metric(REBUILDS)).as("nothing was read anew").isEqualTo(1);
  }

  private String ready() throws Exception {
    return server.get("/health/ready").body();
  }

  static String[] with(String[] settings, String... more) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  static void post(RunningServer node, String rider, long at, double lat) throws Exception {
    String trace =
        "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":127,\"attributes\":{\"말\":\"비\"}}"
            .formatted(rider, at, lat);
    assertThat(node.post("/v1/traces", trace).status()).isEqualTo(202);
  }

  static double lat(RunningServer node, String rider) throws Exception {
    RunningServer.Reply reply = node.get("/v1/riders/" + rider + "/position");
    return reply.status() == 200 ? reply.json().get("lat").asDouble() : Double.NaN;
  }

  static void awaitLat(RunningServer node, String rider, double lat) throws Exception {
    Program.await(() -> lat(node, rider) == lat);
  }
}
