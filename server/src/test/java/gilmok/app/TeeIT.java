package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.http.LogLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What phones send goes to an old server, too: a real one, over HTTP, that fails in many ways. */
@Tag("server")
final class TeeIT extends PhoneRig {
  private static final String TRACE =
      "[{\"riderId\":\"r-1\",\"at\":\"2026-11-26T09:00:00Z\",\"lat\":37.5,\"lon\":127}]";

  private OldServer old;

  @Override
  @BeforeEach
  void start() throws Exception {
    old = new OldServer();
    open("copy");
  }

  private void open(String mode) throws Exception {
    server =
        RunningServer.start(
            data,
            "tee.url=" + old.url(),
            "tee.mode=" + mode,
            "tee.bytes-max=1 MiB",
            "tee.timeout=2 s",
            "stop.patience=2 s");
    key = server.key("{\"name\":\"phones\",\"scopes\":[\"collect\"]}");
  }

  private void shadow() throws Exception {
    server.close();
    open("shadow");
  }

  @AfterEach
  void end() {
    old.close();
  }

  /** Opens a connection of its own, and sends requests on it. */
  private Socket connected(String... paths) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri("/").getPort());
    for (String path : paths) {
      String head = "GET " + path + " HTTP/1.1\r\nHost: x\r\nX-Api-Key: " + key + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    }
    return socket;
  }

  private static void awaitAnswer(Socket socket, int status) throws IOException {
    byte[] head = socket.getInputStream().readNBytes(12);
    assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 " + status);
  }

  private Reply trace() throws Exception {
    return server.send(key, "POST", "/v1/traces", JSON, TRACE);
  }

  private JsonNode report(String field, long wanted) throws Exception {
    long until = System.nanoTime() + 20_000_000_000L;
    JsonNode report = server.get("/v1/tee").json();
    while (report.get(field).asLong() < wanted && System.nanoTime() < until) {
      report = server.get("/v1/tee").json();
    }
    assertThat(report.get(field).asLong()).as(report.toString()).isEqualTo(wanted);
    return report;
  }

  @Test
  void copy_oursAnswers_theOtherGetsItAsItCame() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(TRACE.getBytes(StandardCharsets.UTF_8));
    }
    var answer =
        client.send(
            HttpRequest.newBuilder(server.uri("/v1/traces"))
                .POST(BodyPublishers.ofByteArray(packed.toByteArray()))
                .header("X-Api-Key", key)
                .header("Content-Type", JSON)
                .header("Content-Encoding", "gzip")
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    server.send("", "GET", "/osmand?id=o-1&lat=1.5&lon=2&key=" + key, "", "");
    report("alike", 2);
    assertThat(old.got.getFirst().coding()).isEqualTo("gzip");
    assertThat(old.got.getFirst().body()).isEqualTo(packed.toByteArray());
    assertThat(old.got.getLast().method()).isEqualTo("GET");
    assertThat(old.got.getLast().target()).isEqualTo("/osmand?id=o-1&lat=1.5&lon=2");
    assertThat(old.got)
        .extracting(OldServer.Got::key)
        .as("keys of ours stay here")
        .containsOnly("null");
    Reply _ = server.send("", "GET", "/osmand?id=o-1&lat=1.5&lon=3&key=theirs", "", "");
    report("different", 1);
    assertThat(old.got.getLast().target()).isEqualTo("/osmand?id=o-1&lat=1.5&lon=3&key=theirs");
    assertThat(server.get("/v1/tee").body()).doesNotContain("key=");
  }

  @Test
  void copy_otherRefuses_isReported_andPhonesDoNotFeelIt() throws Exception {
    old.status = 500;
    assertThat(trace().status()).isEqualTo(202);
    JsonNode report = report("different", 1);
    assertThat(report.get("statuses").get(0).toString())
        .isEqualTo("{\"ours\":202,\"theirs\":500,\"count\":1}");
    assertThat(report.get("last").get(0).get("request").asString()).isEqualTo("POST /v1/traces");
  }

  @Test
  void copy_otherHangs_phonesAreAnswered_andWhatIsTooMuchIsCounted() throws Exception {
    old.hangs = true;
    String large = "[" + "{\"x\":\"" + "y".repeat(60_000) + "\"}" + "]";
    int sent = 0;
    while (server.get("/v1/tee").json().get("dropped").asLong() == 0 && sent < 100) {
      server.send(key, "POST", "/v1/logs", JSON, large);
      sent++;
    }
    assertThat(sent).isLessThan(100);
    assertThat(trace().status()).isEqualTo(202);
    old.answer();
    long until = System.nanoTime() + 60_000_000_000L;
    while (server.get("/v1/tee").json().get("waitingBytes").asLong() > 0
        && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    long alike = server.get("/v1/tee").json().get("alike").asLong();
    assertThat(trace().status()).isEqualTo(202);
    report("alike", alike + 1);
  }

  @Test
  void copy_largeAnswers_areReadAndForgotten() throws Exception {
    try (Socket one = connected("/large", "/large");
        Socket another = connected("/large", "/large")) {
      old.awaitGot(2);
      old.answer();
      JsonNode report = report("different", 4);
      assertThat(report.get("unanswered").asLong()).isZero();
      assertThat(one.isConnected() && another.isConnected()).isTrue();
    }
  }

  @Test
  void copy_otherIsGone_isReported() throws Exception {
    old.close();
    assertThat(trace().status()).isEqualTo(202);
    JsonNode report = report("unanswered", 1);
    assertThat(report.get("last").get(0).get("failure").asString()).isNotEmpty();
  }

  @Test
  void shadow_theOthersAnswer_oursIsStoredToo() throws Exception {
    shadow();
    old.status = 201;
    long before = durable();
    Reply reply = trace();
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.body()).isEqualTo("{\"by\":\"old\"}");
    report("alike", 1);
    assertThat(durable()).isEqualTo(before + 1);
  }

  @Test
  void shadow_whatOursDidNotStore_isNamed() throws Exception {
    shadow();
    Reply reply = server.send(key, "POST", "/v1/traces", JSON, "[]");
    assertThat(reply.status()).isEqualTo(200);
    JsonNode report = report("notStored", 1);
    assertThat(report.get("last").get(0).get("ours").asInt()).isEqualTo(400);
  }

  @Test
  void shadow_otherIsGone_phoneIsAskedToComeAgain() throws Exception {
    shadow();
    old.close();
    assertThat(trace().status()).isEqualTo(503);
    report("unanswered", 1);
  }

  @Test
  void copy_ofWhatThisServerRefuses_isPassedOnAsWell() throws Exception {
    Reply stranger = server.send("a-key-of-theirs", "POST", "/osmand", FORM, "id=d-1&lat=1&lon=2");
    assertThat(stranger.status()).isEqualTo(401);
    assertThat(server.send("a-key-of-theirs", "POST", "/data/legacy", JSON, "{}").status())
        .isEqualTo(404);
    JsonNode report = report("different", 2);
    assertThat(report.get("notStored").asLong()).as("the phone knows that it is not").isZero();
    assertThat(old.targets()).containsExactlyInAnyOrder("/osmand", "/data/legacy");
    assertThat(server.send("a-key-of-theirs", "GET", "/v1/riders", "", "").status()).isEqualTo(401);
    assertThat(old.got).as("what is no phone's stays here").hasSize(2);
  }

  @Test
  void shadow_ofWhatThisServerRefuses_isTheOldServersAnswer() throws Exception {
    shadow();
    for (String path : List.of("/osmand?id=d-1&lat=1&lon=2&key=theirs", "/data/legacy")) {
      Reply reply = server.send("", "POST", path, FORM, "");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).contains("old");
    }
    JsonNode report = report("notStored", 2);
    assertThat(report.get("statuses").toString())
        .contains("\"ours\":401,\"theirs\":200", "\"ours\":404,\"theirs\":200");
    old.status = 404;
    assertThat(server.send(key, "POST", "/nowhere", JSON, "{}").status()).isEqualTo(404);
  }

  @Test
  void shadow_ofABodyThatIsTooLong_isOurAnswer_asItWouldBeSentForEver() throws Exception {
    shadow();
    Reply reply = server.send(key, "POST", "/pub", JSON, " ".repeat(5 << 20));
    assertThat(reply.status()).isEqualTo(200);
    JsonNode report = report("dropped", 1);
    assertThat(report.get("notStored").asLong()).isZero();
    assertThat(old.got).isEmpty();
  }

  @Test
  void copy_ofARequestOfOurOwnPages_hasNoSession() throws Exception {
    HttpRequest.Builder icon = HttpRequest.newBuilder(server.uri("/favicon.png"));
    assertThat(server.status(icon.header("Cookie", "a=b; gilmok_session=secret").build()))
        .isEqualTo(404);
    JsonNode _ = report("different", 1);
    assertThat(old.got)
        .extracting(OldServer.Got::cookies)
        .as("the others stay")
        .containsExactly("a=b");
    HttpRequest.Builder other = HttpRequest.newBuilder(server.uri("/x"));
    assertThat(server.status(other.header("Cookie", "gilmok_session=s").build())).isEqualTo(404);
    JsonNode _ = report("different", 2);
    assertThat(old.got).extracting(OldServer.Got::cookies).containsExactly("a=b", "null");
  }

  @Test
  void shadow_anAnswerThatDrips_isNone_andHoldsNobodyUp() throws Exception {
    shadow();
    long began = System.nanoTime();
    try (Socket dripping = connected("/drip")) {
      old.awaitGot(1);
      assertThat(trace().status()).as("the same key and address").isEqualTo(200);
      report("unanswered", 1);
      awaitAnswer(dripping, 503);
      assertThat(System.nanoTime() - began).isLessThan(30_000_000_000L);
    }
  }

  @Test
  void shadow_largeAnswersAtOnce_areBounded() throws Exception {
    shadow();
    try (Socket one = connected("/large");
        Socket another = connected("/large")) {
      JsonNode report = report("unanswered", 1);
      assertThat(report.get("last").get(0).get("failure").asString()).contains("bytes at once");
      old.answer();
      report("different", 1);
      assertThat(one.isConnected() && another.isConnected()).isTrue();
    }
  }

  @Test
  void shadow_ofAClientThatHasLeft_isCalledOff() throws Exception {
    shadow();
    Socket leaving = connected("/hang");
    old.awaitGot(1);
    leaving.close();
    JsonNode report = report("unanswered", 1);
    assertThat(report.get("last").get(0).get("failure").asString()).contains("has left");
    assertThat(report.get("waitingBytes").asLong()).isZero();
  }

  @Test
  void copy_ofOneConnection_staysInOrder_andHoldsUpNoOther() throws Exception {
    try (Socket hanging = connected("/hang", "/second")) {
      old.awaitGot(1);
      assertThat(trace().status()).isEqualTo(202);
      old.awaitGot(2);
      report("alike", 1);
      assertThat(hanging.isConnected()).isTrue();
      old.answer();
      old.awaitGot(3);
      assertThat(old.targets()).containsExactly("/hang", "/v1/traces", "/second");
    }
  }

  @Test
  void shadow_whatWentIntoQuarantine_isNotAlike() throws Exception {
    shadow();
    Reply reply = server.send(key, "POST", "/osmand", FORM, "id=d-1&lat=1000&lon=2");
    assertThat(reply.status()).isEqualTo(200);
    JsonNode report = report("quarantined", 1);
    assertThat(report.get("alike").asLong()).isZero();
    assertThat(report.get("last").get(0).get("quarantined").asInt()).isEqualTo(1);
    String half = TRACE.replace("]", ",{\"riderId\":\"r-1\"}]");
    assertThat(server.send(key, "POST", "/v1/traces", JSON, half).status()).isEqualTo(200);
    report("quarantined", 2);
  }

  @Test
  void shadow_cookiesOfTheOthersAnswer_arePassedOn_butNotOurs() throws Exception {
    shadow();
    old.setCookies = List.of("a=1", "gilmok_session=evil; Path=/", "b=2");
    var answer =
        client.send(HttpRequest.newBuilder(server.uri("/x")).build(), BodyHandlers.discarding());
    assertThat(answer.headers().allValues("Set-Cookie")).containsExactlyInAnyOrder("a=1", "b=2");
  }

  @Test
  void shadow_anotherProtocol_isNoAnswer() throws Exception {
    shadow();
    old.status = 101;
    assertThat(trace().status()).isEqualTo(503);
    JsonNode report = report("unanswered", 1);
    assertThat(report.get("last").get(0).get("failure").asString()).contains("101");
  }

  @Test
  void copy_stop_waitsForWhatIsOnItsWay() throws Exception {
    try (Socket phone = connected("/slow", "/second")) {
      awaitAnswer(phone, 404);
      shadow(); // ends the one before
    }
    assertThat(old.targets()).containsExactly("/slow", "/second");
  }

  @Test
  void copy_stop_saysWhatIsLost() throws Exception {
    try (LogLines log = new LogLines();
        Socket phone = connected("/hang", "/second")) {
      awaitAnswer(phone, 404);
      shadow(); // ends the one before
      assertThat(log.lines()).anyMatch(line -> line.contains("2 requests were not sent"));
    }
    assertThat(old.targets()).containsExactly("/hang");
  }

  @Test
  void whatARiderWithholds_isPassedOnToNobody() throws Exception {
    String off = "{\"state\":\"withdrawn\"}";
    server.send(server.adminKey(), "PUT", "/v1/riders/r-1/consent", JSON, off);
    for (String mode : List.of("copy", "shadow")) {
      assertThat(trace().json().get("notCollected").asInt()).as(mode).isEqualTo(1);
      String path = "/osmand?id=r-1&lat=1.5&lon=2";
      assertThat(server.send(key, "GET", path, "", "").status()).as(mode).isEqualTo(200);
      report("withheld", 2);
      if (mode.equals("copy")) {
        shadow();
      }
    }
    assertThat(old.got).isEmpty();
  }
}
