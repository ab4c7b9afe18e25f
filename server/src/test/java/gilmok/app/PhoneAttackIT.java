package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.app.RunningServer.Reply;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of odd, broken and hostile phones to a whole server. */
@Tag("server")
final class PhoneAttackIT extends PhoneRig {
  private static final String LOCATION =
      "{\"timestamp\":\"2026-03-01T09:00:00Z\",\"coords\":{\"latitude\":1.5,\"longitude\":2}}";

  @Test
  void boundKey_withAnUnusableUploadOfAnother_getsNothingOfIt() throws Exception {
    String bound = server.key("{\"name\":\"b\",\"scopes\":[\"collect\"],\"rider\":\"mine\"}");
    assertThat(command("other", "{\"type\":\"text\",\"text\":\"secret\"}").status()).isEqualTo(202);
    Reply reply = server.send(bound, "GET", "/osmand?id=other&lat=91&lon=0", "", "");
    assertThat(reply.body()).doesNotStartWith("secret");
    assertThat(reply.status()).isEqualTo(403);
    assertThat(server.send(key, "GET", "/osmand?id=other&lat=1&lon=0", "", "").body())
        .isEqualTo("secret");
  }

  @Test
  void key_inAnUploadThatIsSetAside_isNotKept() throws Exception {
    server.send("", "POST", "/owntracks", FORM, "_type=location&key=" + key);
    server.send("", "POST", "/overland", FORM, "key=" + key);
    server.send("", "POST", "/", FORM, "{\"lat\":1}&key=" + key);
    server.send("", "POST", "/osmand", FORM, "[&key=" + key + "&id=5");
    String dump = "{\"_type\":\"dump\",\"configuration\":{\"password\":\"" + key + "\"}}";
    server.send(key, "POST", "/pub?u=" + "u".repeat(200), JSON, dump);
    server.send(key, "POST", "/pub", JSON, dump + "}");
    server.send(key, "POST", "/pub", JSON, "[" + dump.replace("\"dump\"", "null") + "]");
    assertThat(metric("gilmok_collect_quarantined_total{stream=\"traces\"}")).isEqualTo(7);
    assertNowhere(key);
  }

  @Test
  void key_asAnAttribute_isNotKept() throws Exception {
    server.send(
        key, "POST", "/", JSON, "[{\"id\":\"a\",\"lat\":1,\"lon\":1,\"key\":\"" + key + "\"}]");
    server.send(key, "GET", "/?id=a&lat=1&lon=1&apikey=" + key, "", "");
    server.send(
        key,
        "POST",
        "/",
        JSON,
        "{\"location\":" + LOCATION + ",\"device_id\":\"b\",\"p\":{\"k\":\"" + key + "\"}}");
    assertThat(position("b").get("lat").asDouble()).isEqualTo(1.5);
    position("a");
    assertNowhere(key);
  }

  @Test
  void upload_whoseSharedMembersWouldFillTheLog_isAnswered200() throws Exception {
    StringBuilder body = new StringBuilder("{\"device_id\":\"amp\",\"x\":\"");
    body.append("y".repeat(12_000)).append("\",\"locations\":[");
    for (int i = 0; i < 4000; i++) {
      body.append(
              "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1.5]},")
          .append("\"properties\":{\"timestamp\":")
          .append(1_772_355_600 + i)
          .append("}},");
    }
    body.setLength(body.length() - 1);
    Reply reply = server.send(key, "POST", "/overland", JSON, body.append("]}").toString());
    assertThat(reply.status()).isEqualTo(200);
    assertThat(position("amp").get("lat").asDouble()).isEqualTo(1.5);
    StringBuilder odd = new StringBuilder("{\"device_id\":\"amp2\",\"x\":\"");
    odd.append("y".repeat(12_000)).append("\",\"location\":[");
    for (int i = 0; i < 4000; i++) {
      odd.append(LOCATION.replace("00Z", "%02d.%02dZ".formatted(i / 100, i % 100))).append(',');
    }
    odd.setLength(odd.length() - 1);
    reply = server.send(key, "POST", "/", JSON, odd.append("]}").toString());
    assertThat(reply.status()).isEqualTo(200);
    assertThat(position("amp2").get("lat").asDouble()).isEqualTo(1.5);
  }

  @Test
  @Timeout(60)
  void upload_ofManySharedMembersAndManyThings_isAnsweredSoon() throws Exception {
    StringBuilder body = new StringBuilder("{");
    for (int i = 0; i < 100_000; i++) {
      body.append("\"a").append(i).append("\":1,");
    }
    body.append("\"locations\":[");
    for (int i = 0; i < 9_999; i++) {
      body.append("{\"type\":\"Feature\"},");
    }
    Reply reply = server.send(key, "POST", "/overland", JSON, body.append("{}]}").toString());
    assertThat(reply.status()).isEqualTo(200);
  }

  @Test
  void locationsOfGeolocation_atTheRoot_areNotOverlands() throws Exception {
    String body = "{\"locations\":[" + LOCATION + "],\"device_id\":\"bg\"}";
    assertThat(server.send(key, "POST", "/", JSON, body).status()).isEqualTo(200);
    assertThat(position("bg").get("lat").asDouble()).isEqualTo(1.5);
  }

  @Test
  void oddContentEncoding_besideAQuery_losesNothing() throws Exception {
    String answer =
        raw(
            "GET /osmand?id=odd&lat=1.5&lon=2&key="
                + key
                + " HTTP/1.1\r\nHost: t\r\n"
                + "Content-Encoding: utf-8\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200");
    assertThat(position("odd").get("lat").asDouble()).isEqualTo(1.5);
  }

  @Test
  void query_inRawUtf8_isReadAsThat() throws Exception {
    String answer =
        raw(
            "GET /osmand?id=raw&lat=1.5&lon=2&desc=길목&key="
                + key
                + " HTTP/1.1\r\nHost: t\r\n"
                + "Connection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200");
    assertThat(position("raw").toString()).contains("길목");
  }

  @Test
  void bodyThatIsTooLong_sentSlowly_isAnswered200() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
      OutputStream out = socket.getOutputStream();
      int length = 5 << 20;
      out.write(
          ("POST /overland HTTP/1.1\r\nHost: t\r\nX-Api-Key: "
                  + key
                  + "\r\nContent-Length: "
                  + length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      byte[] piece = new byte[1 << 16];
      Arrays.fill(piece, (byte) 'x');
      for (int sent = 0; sent < length; sent += piece.length) {
        out.write(piece);
        if (sent > (4 << 20)) {
          LockSupport.parkNanos(300_000_000);
        }
      }
      assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void bodyThatIsMuchTooLong_isAnswered200() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
      OutputStream out = socket.getOutputStream();
      int length = 30 << 20;
      out.write(
          ("POST /overland HTTP/1.1\r\nHost: t\r\nX-Api-Key: "
                  + key
                  + "\r\nContent-Length: "
                  + length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      byte[] piece = new byte[1 << 16];
      for (int sent = 0; sent < (13 << 20); sent += piece.length) {
        out.write(piece);
      }
      assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void form_withItsKey_thatIsTooLong_isAnswered200() throws Exception {
    String form = "id=long&lat=1.5&lon=2&key=" + key + "&x=" + "x".repeat(100_000);
    assertThat(server.send("", "POST", "/", FORM, form).status()).isEqualTo(200);
    assertNowhere(key);
    assertThat(position("long").get("lat").asDouble()).isEqualTo(1.5);
    assertThat(server.send("", "POST", "/", FORM, "x=" + "x".repeat(5 << 20)).status())
        .isEqualTo(401);
  }

  @Test
  void formsWithoutKey_takeNoRoomOfOthers() throws Exception {
    Socket[] sockets = new Socket[20];
    try {
      for (int i = 0; i < sockets.length; i++) {
        sockets[i] = new Socket(InetAddress.getLoopbackAddress(), server.server().port());
        sockets[i]
            .getOutputStream()
            .write(
                ("POST / HTTP/1.1\r\nHost: t\r\nContent-Type: "
                        + FORM
                        + "\r\nContent-Length: 4194304\r\n\r\nx=")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(bearer("/overland", "x".repeat(3 << 20)).status()).isEqualTo(200);
    } finally {
      for (Socket socket : sockets) {
        if (socket != null) {
          socket.close();
        }
      }
    }
  }

  @Test
  void head_takesNoCommand() throws Exception {
    command("h", "{\"type\":\"text\",\"text\":\"once\"}");
    raw(
        "HEAD /osmand?id=h&lat=1&lon=1&key="
            + key
            + " HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
    assertThat(server.send(key, "GET", "/osmand?id=h&lat=1&lon=2", "", "").body())
        .isEqualTo("once");
  }

  @Test
  void custom_forGeolocation_isSent() throws Exception {
    server.send(key, "POST", "/", JSON, "{\"location\":" + LOCATION + ",\"device_id\":\"bg\"}");
    Reply told = command("bg", "{\"type\":\"custom\",\"settings\":[\"start\"]}");
    assertThat(told.status()).as(told.body()).isEqualTo(202);
    Reply reply =
        server.send(key, "POST", "/", JSON, "{\"location\":" + LOCATION + ",\"device_id\":\"bg\"}");
    assertThat(reply.body()).isEqualTo("{\"background_geolocation\":[[\"start\"]]}");
  }

  @Test
  void command_thatCouldNotBeWritten_doesNotWait() throws Exception {
    Files.createDirectories(data.resolve("devices.tmp/full"));
    assertThat(command("c", "{\"type\":\"text\",\"text\":\"1\"}").status()).isEqualTo(503);
    assertThat(server.send(key, "GET", "/?id=c&lat=1&lon=1", "", "").body()).isEmpty();
    assertThat(
            server
                .send(server.adminKey(), "PUT", "/v1/devices/c", JSON, "{\"riderId\":\"r\"}")
                .status())
        .isEqualTo(503);
    assertThat(server.get("/v1/devices/c").body()).contains("\"tied\":false");
    Files.delete(data.resolve("devices.tmp/full"));
    Files.delete(data.resolve("devices.tmp"));
    assertThat(command("c", "{\"type\":\"text\",\"text\":\"2\"}").status()).isEqualTo(202);
    assertThat(server.send(key, "GET", "/?id=c&lat=1&lon=2", "", "").body()).isEqualTo("2");
  }

  @Test
  void inventedDevices_keepNobodyFromBeingTied() throws Exception {
    try (RunningServer small = RunningServer.start(data.resolve("small"), "devices.max=4")) {
      for (int i = 0; i < 9; i++) {
        small.get("/osmand?id=invented-" + i + "&lat=1&lon=1");
      }
      for (int i = 0; i < 5; i++) {
        String tie = "{\"riderId\":\"r\"}";
        assertThat(small.send(small.adminKey(), "PUT", "/v1/devices/d" + i, JSON, tie).status())
            .isEqualTo(i < 4 ? 200 : 409);
      }
    }
  }

  @Test
  void anyBytes_ofAPhoneWithAKey_areAnswered200() throws Exception {
    Random random = new Random(7);
    List<String> seeds = seeds();
    String[] paths = {
      "/",
      "/osmand",
      "/pub",
      "/owntracks?u=a&d=b",
      "/overland",
      "/gpslogger",
      "/osmand?id=q&lat=1&lon=2"
    };
    String[] types = {JSON, FORM, "text/plain", "multipart/form-data", "x"};
    String[] codings = {"", "", "", "gzip", "zstd", "br", "utf-8"};
    for (int i = 0; i < 3000; i++) {
      byte[] body = seeds.get(random.nextInt(seeds.size())).getBytes(StandardCharsets.UTF_8);
      for (int flips = random.nextInt(6); flips > 0 && body.length > 0; flips--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      HttpRequest.Builder request =
          HttpRequest.newBuilder(server.uri(paths[random.nextInt(paths.length)]))
              .header("X-Api-Key", key)
              .header("Content-Type", types[random.nextInt(types.length)])
              .POST(
                  BodyPublishers.ofByteArray(Arrays.copyOf(body, random.nextInt(body.length + 1))));
      String coding = codings[random.nextInt(codings.length)];
      if (!coding.isEmpty()) {
        request.header("Content-Encoding", coding);
      }
      int status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
      assertThat(status).as("case " + i).isEqualTo(200);
    }
  }

  private static List<String> seeds() throws Exception {
    List<String> seeds = new ArrayList<>();
    Path folder = Repository.root().resolve("server/src/test/resources/dialects");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".http")).sorted().toList()) {
        String text = Files.readString(file);
        int body = text.indexOf("\n\n");
        String line = text.split("\n", -1)[1];
        seeds.add(body < 0 ? line.substring(line.indexOf('?') + 1) : text.substring(body + 2));
      }
    }
    return seeds;
  }

  private String raw(String request) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String firstLine(Socket socket) throws Exception {
    InputStream in = socket.getInputStream();
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\r'; b = in.read()) {
      line.append((char) b);
    }
    return line.toString();
  }

  private void assertNowhere(String secret) throws Exception {
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        int at = text.indexOf(secret);
        assertThat(at < 0 ? "" : text.substring(Math.max(0, at - 60), at)).isEmpty();
      }
    }
  }
}
