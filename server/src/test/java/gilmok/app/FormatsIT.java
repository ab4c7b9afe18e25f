package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import gilmok.Repository;
import gilmok.app.RunningServer.Reply;
import gilmok.config.InvalidSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads in declared formats, those of the documentation, to a whole server. */
@Tag("server")
final class FormatsIT extends PhoneRig {
  private static final String ACTIONS = "/data/agents/actions";

  @TempDir Path other;

  @Override
  @BeforeEach
  void start() throws Exception {
    Path formats = Repository.root().resolve("docs/formats");
    server = RunningServer.start(data, "collect.formats=" + formats);
    key = server.key("{\"name\":\"phones\",\"scopes\":[\"collect\"]}");
  }

  private Reply act(String key, String actions) throws Exception {
    return server.send(
        key, "POST", ACTIONS, JSON, "{\"agentId\":\"a-17\",\"actions\":[" + actions + "]}");
  }

  private static String action(String type, int second) {
    return "{\"action\":\"" + type + "\",\"time\":" + (1_785_052_800 + second) + "}";
  }

  @Test
  void actions_storedOnce_andAnsweredAsDeclared() throws Exception {
    long before = durable();
    for (int i = 0; i < 2; i++) {
      Reply reply = act(key, action("SING", 0) + "," + action("DANCE", 1));
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("{\"success\":true}");
    }
    assertThat(durable()).isEqualTo(before + 2);
    assertThat(metric("gilmok_collect_accepted_total{stream=\"actions\"}")).isEqualTo(2);
  }

  @Test
  void points_ofEachShape_becomeTheRidersPosition() throws Exception {
    String now = String.valueOf(System.currentTimeMillis() / 1000);
    server.send(key, "GET", "/track/osmand?id=f-1&lat=1.5&lon=2&timestamp=" + now, "", "");
    server.send(
        "", "GET", "/track/osmand?id=f-2&lat=1.5&lon=2&timestamp=" + now + "&key=" + key, "", "");
    send("/track/owntracks", "{\"lat\":1.5,\"lon\":2,\"tst\":" + now + "}", "X-Limit-U", "f-3");
    for (String rider : new String[] {"f-1", "f-2"}) {
      assertThat(position(rider).get("lat").asDouble()).isEqualTo(1.5);
      assertThat(position(rider).toString()).doesNotContain("key");
    }
    String geoJson =
        "{\"features\":[{\"geometry\":{\"coordinates\":[2,1.5]},\"properties\":{\"time\":"
            + now
            + "}}]}";
    Reply put = server.send(key, "PUT", "/tracks/f-4/points", JSON, geoJson);
    assertThat(put.status()).isEqualTo(204);
    assertThat(put.body()).isEmpty();
    assertThat(position("f-4").get("lon").asDouble()).isEqualTo(2);
    server.send(
        key,
        "POST",
        "/upload/points.csv",
        "text/csv",
        "rider,time,lat,lon,kmh\nf-5,2026-07-26 17:00:00,1.5,2,36\n");
    assertThat(position("f-5").get("speed").asDouble()).isEqualTo(10);
  }

  @Test
  void wrongPoint_isQuarantinedUnderTheAppsName_andAnswered() throws Exception {
    Reply reply =
        server.send(
            key, "POST", "/upload/points.csv", "text/csv", "rider,time,lat,lon\nx,now,91,2\n");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(metric("gilmok_collect_quarantined_total{stream=\"traces\"}")).isEqualTo(1);
    String page = server.get("/v1/quarantine").body();
    assertThat(page).contains("/time", "not a time", "x,now,91,2");
  }

  @Test
  void bodyThatIsNoJson_isQuarantinedWhole() throws Exception {
    assertThat(act(key, "{").status()).isEqualTo(200);
    assertThat(metric("gilmok_collect_quarantined_total{stream=\"actions\"}")).isEqualTo(1);
  }

  @Test
  void boundKey_writesItsOwnRiderAlone() throws Exception {
    String bound = server.key("{\"name\":\"a\",\"scopes\":[\"collect\"],\"rider\":\"a-18\"}");
    assertThat(act(bound, action("SING", 0)).status()).isEqualTo(403);
    Reply own =
        server.send(bound, "POST", ACTIONS, JSON, "{\"actions\":[" + action("SING", 5) + "]}");
    assertThat(own.status()).as(own.body()).isEqualTo(200);
    assertThat(metric("gilmok_collect_accepted_total{stream=\"actions\"}")).isEqualTo(1);
  }

  @Test
  void actionThatMovesADelivery_needsMoreThanASharedKey() throws Exception {
    Reply reply = act(key, "{\"action\":\"PICK_UP\",\"time\":1785052800,\"orderId\":\"01KJ\"}");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(server.get("/v1/quarantine").body()).contains("moves a delivery");
  }

  @Test
  void command_toAPhoneWithAFormatOfItsOwn_isRefused() throws Exception {
    assertThat(act(key, action("SING", 0)).status()).isEqualTo(200);
    Reply reply = command("a-17", "{\"type\":\"text\",\"text\":\"hello\"}");
    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.body()).contains("takes no commands");
  }

  @Test
  void withoutAKey_isRefused() throws Exception {
    assertThat(act("", action("SING", 0)).status()).isEqualTo(401);
  }

  @Test
  void wrongFiles_stopTheStart_withAllTheirFaults() throws Exception {
    Files.writeString(other.resolve("one.yaml"), "path: /v1/x\nfields: {}\n");
    Files.writeString(other.resolve("two.yaml"), "path: [\n");
    Path folder = Files.createDirectory(other.resolve("data"));
    assertThatExceptionOfType(InvalidSettings.class)
        .isThrownBy(() -> RunningServer.start(folder, "collect.formats=" + other))
        .satisfies(
            wrong ->
                assertThat(String.join("\n", wrong.problems()))
                    .contains("one.yaml: path: begins with /v1")
                    .contains("one.yaml: fields.lat: is missing")
                    .contains("two.yaml: it is no YAML"));
  }

  @Test
  void aForm_besideParametersOfTheUri_isRead() throws Exception {
    Files.writeString(
        other.resolve("form.yaml"),
        """
        path: /old/form
        content: form
        fields: { riderId: "query:agent", at: /t, lat: /la, lon: /lo }
        """);
    try (RunningServer own =
        RunningServer.start(
            other.resolve("data"), "collect.formats=" + other.resolve("form.yaml"))) {
      String now = String.valueOf(System.currentTimeMillis() / 1000);
      Reply reply =
          own.send(
              own.adminKey(),
              "POST",
              "/old/form?agent=f-9&v=2",
              "application/x-www-form-urlencoded",
              "la=1.5&lo=2&t=" + now);
      assertThat(reply.status()).isEqualTo(200);
      own.awaitSeen();
      assertThat(own.get("/v1/riders/f-9/position").json().path("lat").asDouble()).isEqualTo(1.5);
    }
  }
}
