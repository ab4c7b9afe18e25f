package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gilmok.app.RunningServer.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What phones send goes to an old server, too: a real one, over HTTP, that fails in many ways. */
@Tag("server")
final class TeeIT extends PhoneRig {
  /** A request as the old server got it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Got(String method, String target, String type, String coding, byte[] body) {}

  private static final String TRACE =
      "[{\"riderId\":\"r-1\",\"at\":\"2026-11-26T09:00:00Z\",\"lat\":37.5,\"lon\":127}]";

  private final List<Got> got = new CopyOnWriteArrayList<>();
  private final List<String> cookies = new CopyOnWriteArrayList<>();
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private HttpServer old;
  private volatile int status = 200;
  private volatile boolean hangs;

  @Override
  @BeforeEach
  void start() throws Exception {
    old = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    old.createContext("/", this::answer);
    old.setExecutor(java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor());
    old.start();
    open("copy");
  }

  private void open(String mode) throws Exception {
    server =
        RunningServer.start(
            data,
            "tee.url=http://127.0.0.1:" + old.getAddress().getPort(),
            "tee.mode=" + mode,
            "tee.bytes-max=1 MiB",
            "tee.timeout=2 s");
    key = server.key("{\"name\":\"phones\",\"scopes\":[\"collect\"]}");
  }

  private void shadow() throws Exception {
    server.close();
    open("shadow");
  }

  @AfterEach
  void end() {
    mayAnswer.countDown();
    old.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      cookies.add(String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")));
      got.add(
          new Got(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
              String.valueOf(exchange.getRequestHeaders().getFirst("Content-Encoding")),
              exchange.getRequestBody().readAllBytes()));
      if (hangs) {
        boolean _ = mayAnswer.await(60, TimeUnit.SECONDS);
      }
      byte[] body = "{\"by\":\"old\"}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.getResponseHeaders().add("X-Old", "yes");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
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
    assertThat(got.getFirst().coding()).isEqualTo("gzip");
    assertThat(got.getFirst().body()).isEqualTo(packed.toByteArray());
    assertThat(got.getLast().method()).isEqualTo("GET");
    assertThat(got.getLast().target()).startsWith("/osmand?id=o-1&lat=1.5&lon=2&key=");
    assertThat(server.get("/v1/tee").body()).doesNotContain(key);
  }

  @Test
  void copy_otherRefuses_isReported_andPhonesDoNotFeelIt() throws Exception {
    status = 500;
    assertThat(trace().status()).isEqualTo(202);
    JsonNode report = report("different", 1);
    assertThat(report.get("statuses").get(0).toString())
        .isEqualTo("{\"ours\":202,\"theirs\":500,\"count\":1}");
    assertThat(report.get("last").get(0).get("request").asString()).isEqualTo("POST /v1/traces");
  }

  @Test
  void copy_otherHangs_phonesAreAnswered_andWhatIsTooMuchIsCounted() throws Exception {
    hangs = true;
    String large = "[" + "{\"x\":\"" + "y".repeat(60_000) + "\"}" + "]";
    int sent = 0;
    while (server.get("/v1/tee").json().get("dropped").asLong() == 0 && sent < 100) {
      server.send(key, "POST", "/v1/logs", JSON, large);
      sent++;
    }
    assertThat(sent).isLessThan(100);
    assertThat(trace().status()).isEqualTo(202);
    hangs = false;
    mayAnswer.countDown();
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
  void copy_otherIsGone_isReported() throws Exception {
    old.stop(0);
    assertThat(trace().status()).isEqualTo(202);
    JsonNode report = report("unanswered", 1);
    assertThat(report.get("last").get(0).get("failure").asString()).isNotEmpty();
  }

  @Test
  void shadow_theOthersAnswer_oursIsStoredToo() throws Exception {
    shadow();
    status = 201;
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
    old.stop(0);
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
    assertThat(got).extracting(Got::target).containsExactlyInAnyOrder("/osmand", "/data/legacy");
    assertThat(server.send("a-key-of-theirs", "GET", "/v1/riders", "", "").status()).isEqualTo(401);
    assertThat(got).as("what is no phone's stays here").hasSize(2);
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
    status = 404;
    assertThat(server.send(key, "POST", "/nowhere", JSON, "{}").status()).isEqualTo(404);
  }

  @Test
  void shadow_ofABodyThatIsTooLong_isOurAnswer_asItWouldBeSentForEver() throws Exception {
    shadow();
    Reply reply = server.send(key, "POST", "/pub", JSON, " ".repeat(5 << 20));
    assertThat(reply.status()).isEqualTo(200);
    JsonNode report = report("dropped", 1);
    assertThat(report.get("notStored").asLong()).isZero();
    assertThat(got).isEmpty();
  }

  @Test
  void copy_ofARequestOfOurOwnPages_hasNoSession() throws Exception {
    HttpRequest.Builder icon = HttpRequest.newBuilder(server.uri("/favicon.png"));
    assertThat(server.status(icon.header("Cookie", "a=b; gilmok_session=secret").build()))
        .isEqualTo(404);
    JsonNode _ = report("different", 1);
    assertThat(cookies).containsExactly("null");
    HttpRequest.Builder other = HttpRequest.newBuilder(server.uri("/x"));
    assertThat(server.status(other.header("Cookie", "a=b").build())).isEqualTo(404);
    JsonNode _ = report("different", 2);
    assertThat(cookies).containsExactly("null", "a=b");
  }
}
