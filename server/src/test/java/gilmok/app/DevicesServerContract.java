package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The riders that phones belong to, and the commands that phones get, wherever that is kept. */
abstract class DevicesServerContract extends PhoneRig {
  @Test
  void boundKey_sendsOnlyItsOwnRider() throws Exception {
    String bound = server.key("{\"name\":\"b\",\"scopes\":[\"collect\"],\"rider\":\"mine\"}");
    assertThat(server.send(bound, "GET", "/?id=mine&lat=1&lon=1", "", "").status()).isEqualTo(200);
    assertThat(server.send(bound, "GET", "/?id=other&lat=1&lon=1", "", "").status()).isEqualTo(403);
    tie("other", "mine", null);
    assertThat(server.send(bound, "GET", "/?id=other&lat=1&lon=1", "", "").status()).isEqualTo(200);
  }

  @Test
  void boundKey_isTheRider_ofAPhoneThatNamesNone() throws Exception {
    String bound = server.key("{\"name\":\"o\",\"scopes\":[\"collect\"],\"rider\":\"mine\"}");
    assertThat(server.send(bound, "POST", "/overland", JSON, overland("")).status()).isEqualTo(200);
    assertThat(position("mine").get("lat").asDouble()).isEqualTo(1.5);
  }

  @Test
  void ties_surviveARestart() throws Exception {
    tie("dev-1", "rider-1", "g");
    server.close();
    server = RunningServer.start(data, settings());
    server.send(key, "GET", "/?id=dev-1&lat=1.5&lon=1", "", "");
    JsonNode position = position("rider-1");
    assertThat(position.get("attributes").get("device").asString()).isEqualTo("dev-1");
    assertThat(server.send(server.adminKey(), "DELETE", "/v1/devices/dev-1", "", "").status())
        .isEqualTo(204);
    server.send(key, "GET", "/?id=dev-1&lat=2.5&lon=1", "", "");
    assertThat(position("dev-1").get("lat").asDouble()).isEqualTo(2.5);
  }

  @Test
  void command_goesDownWithTheNextAnswer_once() throws Exception {
    server.send(key, "GET", "/?id=cmd&lat=1&lon=1", "", "");
    assertThat(command("cmd", "{\"type\":\"text\",\"text\":\"reboot now\"}").status())
        .isEqualTo(202);
    assertThat(server.get("/v1/devices/cmd").json().get("commands").size()).isEqualTo(1);
    assertThat(server.send(key, "GET", "/?id=cmd&lat=1&lon=1", "", "").body())
        .isEqualTo("reboot now");
    assertThat(server.send(key, "GET", "/?id=cmd&lat=1&lon=1", "", "").body()).isEmpty();
    assertThat(ownTracks("anna", "phone").status()).isEqualTo(200);
    assertThat(command("anna-phone", "{\"type\":\"report\"}").status()).isEqualTo(202);
    JsonNode told = ownTracks("anna", "phone").json();
    assertThat(told.get(0).get("_type").asString()).isEqualTo("cmd");
    assertThat(told.get(0).get("action").asString()).isEqualTo("reportLocation");
  }

  @Test
  void commands_endsAreTold_ofARidersPhones() throws Exception {
    tie("ends", "rider-3", "g");
    tie("other", "rider-4", "g");
    assertThat(command("ends", "{\"type\":\"report\"}").status()).isEqualTo(202);
    assertThat(command("ends", "{\"type\":\"text\",\"text\":\"hello\"}").status()).isEqualTo(202);
    assertThat(server.send(key, "GET", "/?id=ends&lat=1&lon=1", "", "").body()).isEqualTo("hello");
    JsonNode listed = server.get("/v1/devices?riderId=rider-3").json().get("items");
    assertThat(listed.size()).isEqualTo(1);
    assertThat(listed.get(0).get("id").asString()).isEqualTo("ends");
    assertThat(listed.get(0).get("commands")).isEmpty();
    assertThat(listed.get(0).get("ended"))
        .extracting(one -> one.get("type").asString() + " " + one.get("end").asString())
        .containsExactly("report dropped", "text sent");
    for (int i = 0; i < 9; i++) {
      command("ends", "{\"type\":\"text\",\"text\":\"again\"}");
      server.send(key, "GET", "/?id=ends&lat=1&lon=1", "", "");
    }
    assertThat(server.get("/v1/devices/ends").json().get("ended"))
        .as("the last ones")
        .hasSize(8)
        .allMatch(one -> one.get("end").asString().equals("sent"));
  }

  @Test
  void command_survivesARestart() throws Exception {
    assertThat(command("later", "{\"type\":\"text\",\"text\":\"hello\"}").status()).isEqualTo(202);
    server.close();
    server = RunningServer.start(data, settings());
    assertThat(server.send(key, "GET", "/?id=later&lat=1&lon=1", "", "").body()).isEqualTo("hello");
    server.close();
    server = RunningServer.start(data, settings());
    assertThat(server.send(key, "GET", "/?id=later&lat=2&lon=1", "", "").body()).isEmpty();
  }

  @Test
  void command_thatTheAppCannotBeTold_isRefusedWithTheReason() throws Exception {
    server.send(key, "GET", "/gpslogger?id=gl&lat=1&lon=1&spd=1", "", "");
    Reply refused = command("gl", "{\"type\":\"report\"}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("reason").asString()).contains("GPSLogger");
    Reply wrong = command("gl", "{\"type\":\"dance\"}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().get("field").asString()).isEqualTo("type");
  }
}
