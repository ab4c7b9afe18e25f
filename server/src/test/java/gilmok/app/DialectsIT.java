package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.app.RunningServer.Reply;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Uploads of phone apps to a whole server: every dialect, at each URL that accepts it. */
@Tag("server")
final class DialectsIT extends PhoneRig {

  @Test
  void osmand_inTheQuery_atEachUrl() throws Exception {
    int i = 0;
    for (String path : List.of("/", "/osmand")) {
      for (String name : List.of("id", "deviceid")) {
        String rider = "osm-" + i++;
        String query =
            "?key=" + key + "&" + name + "=" + rider + "&lat=37.5&lon=127.0&speed=10&batt=80";
        Reply reply = server.send("", "GET", path + query, "", "");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEmpty();
        JsonNode position = position(rider);
        assertThat(position.get("lat").asDouble()).isEqualTo(37.5);
        assertThat(position.get("speed").asDouble()).isBetween(5.14, 5.15);
        assertThat(position.get("battery").asDouble()).isEqualTo(0.8);
        assertThat(position.toString()).doesNotContain("key");
      }
    }
  }

  @Test
  void osmand_inAForm_withTheKeyInIt() throws Exception {
    String form = "id=form-1&lat=37.5&lon=127.0&key=" + key;
    assertThat(server.send("", "POST", "/", FORM, form).status()).isEqualTo(200);
    assertThat(position("form-1").toString()).doesNotContain("key");
    assertThat(server.send("", "POST", "/", FORM, "id=x&lat=1&lon=1&key=gk_no_no").status())
        .isEqualTo(401);
  }

  @Test
  void json_atTheRoot_isToldByItsContent() throws Exception {
    server.send(
        key,
        "POST",
        "/",
        JSON,
        "{\"location\":{\"timestamp\":\"2026-03-01T09:00:00Z\",\"coords\":{\"latitude\":1.5,"
            + "\"longitude\":2}},\"device_id\":\"t9\"}");
    server.send(
        key,
        "POST",
        "/",
        JSON,
        "[{\"id\":\"t10\",\"lat\":1.5,\"lon\":2,\"timestamp\":1772355600}]");
    server.send(
        key,
        "POST",
        "/?u=own&d=tracks",
        JSON,
        "{\"_type\":\"location\",\"lat\":1.5,\"lon\":2,\"tst\":1772355600,\"tid\":\"ot\"}");
    server.send(key, "POST", "/", JSON, overland("over"));
    for (String rider : List.of("t9", "t10", "own-tracks", "over")) {
      assertThat(position(rider).get("lat").asDouble()).as(rider).isEqualTo(1.5);
    }
  }

  @Test
  void overland_isAnsweredAsItMustBe() throws Exception {
    Reply reply = bearer("/overland", overland("ov-1"));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"result\":\"ok\"}");
    assertThat(position("ov-1").get("lat").asDouble()).isEqualTo(1.5);
  }

  @Test
  void gpsLogger_unitsGoByTheName() throws Exception {
    for (String path : List.of("/gpslogger", "/osmand", "/")) {
      String rider = "gps" + path.length();
      String query = "?id=" + rider + "&lat=1.5&lon=2&spd=10&acc=4&dir=90&alt=30&timestamp=";
      Reply reply = server.send(key, "GET", path + query + "1772355600", "", "");
      assertThat(reply.status()).isEqualTo(200);
      JsonNode position = position(rider);
      assertThat(position.get("speed").asDouble()).as(path + " is m/s").isEqualTo(10);
      assertThat(position.get("bearing").asDouble()).isEqualTo(90);
      assertThat(position.get("altitude").asDouble()).isEqualTo(30);
    }
  }

  @Test
  void ownTracks_seesFriendsOfItsGroup_andNobodyElse() throws Exception {
    tie("anna-phone", "anna", "gang");
    tie("bert-phone", "bert", "gang");
    tie("carl-phone", "carl", "others");
    assertThat(ownTracks("carl", "phone").body()).isEqualTo("[]");
    assertThat(ownTracks("bert", "phone").body()).isEqualTo("[]");
    position("bert");
    JsonNode answer = ownTracks("anna", "phone").json();
    assertThat(answer.size()).isEqualTo(1);
    assertThat(answer.get(0).get("_type").asString()).isEqualTo("location");
    assertThat(answer.get(0).get("topic").asString()).endsWith("/bert");
    assertThat(answer.get(0).get("lat").asDouble()).isEqualTo(1.5);
    assertThat(server.get("/v1/riders/anna-phone/position").status()).isEqualTo(404);
  }

  @Test
  void ownTracks_emptyBody_isIgnored() throws Exception {
    long before = durable();
    Reply reply = server.send(key, "POST", "/pub?u=a&d=b", JSON, "");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("[]");
    assertThat(durable()).isEqualTo(before);
  }

  @Test
  void ownTracks_otherMessages_areStoredAsLogs() throws Exception {
    for (String type :
        List.of(
            "transition",
            "waypoint",
            "waypoints",
            "lwt",
            "status",
            "steps",
            "card",
            "beacon",
            "request",
            "encrypted")) {
      String message = "{\"_type\":\"" + type + "\",\"tst\":1772355600,\"data\":\"x\"}";
      assertThat(server.send(key, "POST", "/pub", JSON, message).status()).isEqualTo(200);
    }
    assertThat(metric("gilmok_collect_accepted_total{stream=\"logs\"}")).isEqualTo(10);
    assertThat(metric("gilmok_collect_quarantined_total{stream=\"traces\"}")).isZero();
  }

  @Test
  void whatCanNeverBeValid_isSetAside_andAnswered200() throws Exception {
    assertThat(server.send(key, "GET", "/osmand?id=p&lat=91&lon=0", "", "").status())
        .isEqualTo(200);
    assertThat(server.send(key, "GET", "/osmand?lat=1&lon=0", "", "").status()).isEqualTo(200);
    assertThat(server.send(key, "POST", "/pub", JSON, "{\"_type\":").status()).isEqualTo(200);
    assertThat(server.send(key, "POST", "/overland", JSON, "not json").body())
        .isEqualTo("{\"result\":\"ok\"}");
    assertThat(server.send(key, "POST", "/", JSON, "x".repeat(5 << 20)).status()).isEqualTo(200);
    assertThat(metric("gilmok_collect_quarantined_total{stream=\"traces\"}")).isEqualTo(5);
    assertThat(metric("gilmok_collect_accepted_total{stream=\"traces\"}")).isZero();
  }

  @Test
  void heartbeat_leavesTheLastPosition() throws Exception {
    server.send(key, "GET", "/?id=hb&lat=1.5&lon=2&timestamp=1772355600", "", "");
    position("hb");
    assertThat(server.send(key, "GET", "/?id=hb&batt=50&timestamp=1772355700", "", "").status())
        .isEqualTo(200);
    assertThat(metric("gilmok_collect_accepted_total{stream=\"logs\"}")).isEqualTo(1);
    assertThat(position("hb").get("at").asString()).isEqualTo("2026-03-01T09:00:00Z");
  }

  @Test
  void repeat_isAnsweredTheSame_andStoredOnce() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(bearer("/overland", overland("again")).status()).isEqualTo(200);
    }
    assertThat(metric("gilmok_collect_accepted_total{stream=\"traces\"}")).isEqualTo(1);
    assertThat(metric("gilmok_collect_duplicates_total{stream=\"traces\"}")).isEqualTo(2);
  }

  @Test
  void key_isNowhereInTheLog() throws Exception {
    server.send("", "GET", "/?id=k1&lat=1&lon=1&key=" + key, "", "");
    server.send("", "GET", "/osmand?lat=1&lon=1&k%65y=" + key, "", "");
    server.send("", "POST", "/", FORM, "key=" + key + "&id=k2&lat=1&lon=1");
    server.send("", "POST", "/", FORM, "id=k3&lat=1000&lon=1&key=" + key + "&x=y");
    server.send("", "POST", "/?key=" + key, JSON, "broken");
    assertThat(durable()).isGreaterThanOrEqualTo(5);
    byte[] secret = key.getBytes(StandardCharsets.US_ASCII);
    int files = 0;
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("admin.key")) {
          assertThat(holds(Files.readAllBytes(file), secret)).as(file.toString()).isFalse();
          files++;
        }
      }
    }
    assertThat(files).isGreaterThan(2);
  }

  @Test
  void everyRecordedRequest_isAnswered200() throws Exception {
    Path folder = Repository.root().resolve("server/src/test/resources/dialects");
    int sent = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".http")).sorted().toList()) {
        assertThat(replay(file)).as(file.toString()).isEqualTo(200);
        sent++;
      }
    }
    assertThat(sent).isGreaterThanOrEqualTo(60);
    assertThat(metric("gilmok_collect_accepted_total{stream=\"traces\"}")).isGreaterThan(40);
  }

  private int replay(Path file) throws Exception {
    String text = Files.readString(file);
    int body = text.indexOf("\n\n");
    String[] head = text.substring(0, body < 0 ? text.length() : body).split("\n", -1);
    String[] line = head[1].split(" ", -1);
    String payload = body < 0 ? "" : text.substring(body + 2);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(withoutKey(line[1])))
            .method(line[0], BodyPublishers.ofString(payload))
            .header("X-Api-Key", key);
    for (int i = 2; i < head.length; i++) {
      String name = head[i].substring(0, head[i].indexOf(':'));
      if (name.matches("(?i)content-type|x-limit-.|content-encoding")) {
        request.header(name, head[i].substring(head[i].indexOf(':') + 1).strip());
      }
    }
    return client.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  /**
   * A recorded target without its key, which is not ours. Characters that URI refuses are encoded.
   */
  private static String withoutKey(String target) {
    StringBuilder path = new StringBuilder();
    for (char c : target.replaceAll("([?&])key=[^&]*", "$1").toCharArray()) {
      boolean plain = c > ' ' && c < 0x7f && "\"<>\\^`{|}".indexOf(c) < 0;
      path.append(
          plain ? String.valueOf(c) : URLEncoder.encode(String.valueOf(c), StandardCharsets.UTF_8));
    }
    return path.toString();
  }

  private static boolean holds(byte[] bytes, byte[] wanted) {
    for (int i = 0; i + wanted.length <= bytes.length; i++) {
      int j = 0;
      while (j < wanted.length && bytes[i + j] == wanted[j]) {
        j++;
      }
      if (j == wanted.length) {
        return true;
      }
    }
    return false;
  }
}
