package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.AccountRig.Reply;
import gilmok.app.AccountRig.TestSink;
import gilmok.http.Route;
import gilmok.process.Main;
import gilmok.sinks.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The account's routes over HTTP, on a real log and a sink whose verdicts the test chooses. */
@Tag("server")
final class AccountIT {
  private static final String SINK = "/v1/sinks/" + AccountRig.SINK;
  private static final String TRACE = "{\"riderId\":\"r\",\"at\":%d,\"lat\":1,\"lon\":1}";
  private static final String BAD = "{\"riderId\":\"r\",\"at\":1,\"lat\":99,\"lon\":1}";

  @TempDir Path data;
  private AccountRig rig;
  private ApiDocument document;

  @BeforeEach
  void start() throws Exception {
    rig = new AccountRig(data, true);
    try (var yaml = Main.class.getResourceAsStream("/openapi.yaml")) {
      document =
          new ApiDocument(
              new String(Objects.requireNonNull(yaml).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  @Test
  void everyRoute_withoutOperate_isRefused() throws Exception {
    int tried = 0;
    for (Route route : rig.routes()) {
      if (route.scope() == gilmok.auth.Scope.OPERATE) {
        String path = route.path().replaceAll("\\{\\w+}", "x");
        assertThat(rig.send("reader", route.method(), path, "").status()).as(path).isEqualTo(403);
        tried++;
      }
    }
    assertThat(tried).isEqualTo(15);
  }

  @Test
  void ledger_addsUpAllTheTime() throws Exception {
    collect(1, 2, 3);
    rig.post("/v1/actions", "{\"riderId\":\"r\",\"at\":1,\"type\":\"accept\"}");
    rig.awaitSettled();
    Reply reply = rig.get("/v1/ledger");
    assertFits("GET /v1/ledger", reply);
    assertThat(reply.json().path("residue").asLong()).isZero();
    assertThat(reply.json().path("streams").path(1).path("accepted").asLong()).isEqualTo(1);
    assertThat(reply.json().path("items").size()).isEqualTo(2);
    JsonNode traces = row(reply, "traces");
    assertThat(traces.path("accepted").asLong()).isEqualTo(3);
    assertThat(traces.path("delivered").asLong()).isEqualTo(3);
  }

  @Test
  void ledger_aSinkThatLies_isSeen() throws Exception {
    rig.sink.answer = batch -> new Verdict.Done(new gilmok.log.StreamCounts(), "nowhere");
    collect(1, 2);
    rig.awaitSettled();
    Reply reply = rig.get("/v1/ledger");
    assertThat(reply.json().path("residue").asLong()).isEqualTo(2);
    assertThat(row(reply, "traces").path("residue").asLong()).isEqualTo(2);
  }

  @Test
  void receipt_tellsWhatBecameOfARecord() throws Exception {
    rig.post(SINK + "/pause", "");
    collect(1);
    rig.post("/v1/actions", "{\"riderId\":\"r\",\"at\":1,\"type\":\"accept\"}");
    assertThat(rig.fate(1).path("state").asString()).isEqualTo("waiting");
    assertThat(rig.fate(2).path("state").asString()).isEqualTo("not-taken");
    rig.post(SINK + "/resume", "");
    rig.awaitSettled();
    Reply reply = rig.get("/v1/receipts/" + AccountRig.NODE + ":1");
    assertFits("GET /v1/receipts/{id}", reply);
    assertThat(reply.json().path("stream").asString()).isEqualTo("traces");
    assertThat(rig.fate(1).path("state").asString()).isEqualTo("delivered");
    assertThat(rig.fate(1).path("place").asString()).isEqualTo("place of 1");
    assertThat(rig.fate(1).path("at").asString()).isEqualTo("2026-03-01T09:00:00Z");
    for (String none :
        List.of(AccountRig.NODE + ":3", AccountRig.NODE + ":0", AccountRig.NODE + ":01", "1")) {
      assertThat(rig.get("/v1/receipts/" + none).status()).as(none).isEqualTo(404);
    }
    assertThat(rig.get("/v1/receipts/aaaaaaaaaaaa:1").status()).as("another node's").isEqualTo(421);
  }

  @Test
  void receipt_olderThanKept_isGone() throws Exception {
    collect(1);
    rig.awaitSettled();
    rig.now.addAndGet(Duration.ofDays(31).toMillis());
    assertThat(rig.fate(1).path("state").asString()).isEqualTo("gone");
    String message = "m".repeat(3000);
    for (int i = 1; rig.log.oldestSequence() == 1 && i < 1000; i++) {
      rig.now.addAndGet(Duration.ofHours(1).toMillis());
      String line =
          "{\"riderId\":\"r\",\"at\":%d,\"level\":\"info\",\"message\":\"%s\"}"
              .formatted(i, message);
      assertThat(rig.post("/v1/logs", line).status()).isEqualTo(202);
      rig.awaitSettled();
    }
    Reply reply = rig.get("/v1/receipts/" + AccountRig.NODE + ":1");
    assertThat(reply.status()).isEqualTo(410);
    assertThat(reply.json().path("type").asString()).isEqualTo("/docs/errors#gone");
  }

  @Test
  void quarantine_listsWhatWasSetAside_byPages() throws Exception {
    for (int i = 1; i <= 5; i++) {
      rig.post("/v1/traces", "[" + TRACE.formatted(i) + "," + BAD.replace("99", "9" + i) + "]");
    }
    rig.post("/v1/actions", "[{\"riderId\":\"r\",\"at\":1,\"type\":\"a\"},{\"riderId\":\"r\"}]");
    Reply page = rig.get("/v1/quarantine?limit=4");
    assertFits("GET /v1/quarantine", page);
    assertThat(page.json().path("items").size()).isEqualTo(4);
    JsonNode first = page.json().path("items").path(0);
    assertThat(first.path("field").asString()).isEqualTo("lat");
    assertThat(first.path("reason").asString()).isEqualTo("out of range");
    assertThat(first.path("raw").asString()).isEqualTo(BAD.replace("99", "91"));
    assertThat(first.path("recordId").asString())
        .isEqualTo(AccountRig.NODE + ":" + first.path("sequence").asLong());
    Reply rest = rig.get("/v1/quarantine?limit=4&cursor=" + page.json().path("next").asString());
    assertThat(rest.json().path("items").size()).isEqualTo(2);
    assertThat(rest.json().path("next").isNull()).isTrue();
    assertThat(rig.get("/v1/quarantine?stream=actions").json().path("items").size()).isEqualTo(1);
    assertThat(rig.get("/v1/quarantine?sink=files").json().path("items").size()).isZero();
    for (String wrong : List.of("limit=0", "limit=1001", "limit=x", "cursor=x", "stream=x")) {
      Reply refused = rig.get("/v1/quarantine?" + wrong);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.json().path("field").asString()).isEqualTo(wrong.split("=", -1)[0]);
    }
  }

  @Test
  void replay_ofWhatCollectingSetAside_takesTheCorrectedRecord() throws Exception {
    rig.post("/v1/traces", "[" + TRACE.formatted(1) + "," + BAD + "]");
    long aside = rig.get("/v1/quarantine").json().path("items").path(0).path("sequence").asLong();
    String path = "/v1/quarantine/" + aside + "/replay";
    Reply asItStands = rig.post(path, "");
    assertThat(asItStands.status()).isEqualTo(409);
    assertThat(asItStands.json().path("field").asString()).isEqualTo("lat");
    assertThat(asItStands.json().path("reason").asString()).startsWith("out of range");
    Reply wrong = rig.post(path, BAD.replace("99", "-99"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().path("field").asString()).isEqualTo("lat");
    assertThat(rig.post(path, "[" + TRACE.formatted(8) + "," + TRACE.formatted(9) + "]").status())
        .isEqualTo(400);
    assertThat(rig.post(path, "{").status()).isEqualTo(400);
    Reply taken = rig.post(path, TRACE.formatted(77));
    assertFits("POST /v1/quarantine/{id}/replay", taken);
    assertThat(taken.json().path("accepted").asLong()).isEqualTo(1);
    long sequence = taken.json().path("receipt").path("first").asLong();
    assertThat(sequence).isEqualTo(aside + 1);
    Reply again = rig.post(path, TRACE.formatted(77));
    assertFits("POST /v1/quarantine/{id}/replay", again);
    assertThat(again.json().path("duplicates").asLong()).isEqualTo(1);
    for (String none : List.of("1", "999", "x")) {
      assertThat(rig.post("/v1/quarantine/" + none + "/replay", "").status()).isEqualTo(404);
    }
    rig.awaitSettled();
    assertThat(rig.sink.sent).contains(sequence);
  }

  @Test
  void replay_ofWhatASinkRefused_sendsItOnceMore() throws Exception {
    rig.sink.answer =
        batch -> {
          BitSet all = new BitSet();
          all.set(0, batch.size());
          Verdict rest = new Verdict.Done(new gilmok.log.StreamCounts(), "");
          return new Verdict.RejectThese(all, "at", "too old", rest);
        };
    collect(1);
    rig.awaitSettled();
    JsonNode aside = rig.get("/v1/quarantine?sink=" + AccountRig.SINK).json().path("items").path(0);
    assertThat(aside.path("origin").asString()).isEqualTo(AccountRig.NODE + ":1");
    assertThat(aside.path("reason").asString()).isEqualTo("too old");
    assertThat(aside.path("raw").asString()).startsWith("{\"riderId\":\"r\"");
    assertThat(rig.fate(1).path("state").asString()).isEqualTo("quarantined");
    assertThat(row(rig.get("/v1/ledger"), "traces").path("quarantined").asLong()).isEqualTo(1);
    rig.sink.answer = TestSink::done;
    String path = "/v1/quarantine/" + aside.path("sequence").asLong() + "/replay";
    assertThat(rig.post(path, TRACE.formatted(1)).status()).isEqualTo(400);
    Reply sent = rig.post(path, "");
    assertThat(sent.status()).isEqualTo(202);
    assertFits("POST /v1/quarantine/{id}/replay", sent);
    AccountRig.await(() -> rig.fate(1).path("state").asString().equals("delivered"));
    Reply ledger = rig.get("/v1/ledger");
    assertThat(ledger.json().path("residue").asLong()).isZero();
    assertThat(row(ledger, "traces").path("quarantined").asLong()).isZero();
    Reply again = rig.post(path, "");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.json().path("field").asString()).isEqualTo("origin");
  }

  @Test
  void sink_pausedTunedRewound_showsIt() throws Exception {
    collect(1, 2);
    rig.awaitSettled();
    assertFits("GET /v1/sinks", rig.get("/v1/sinks"));
    assertThat(rig.shown().path("state").asString()).isEqualTo("running");
    Reply paused = rig.post(SINK + "/pause", "");
    assertFits("POST /v1/sinks/{id}/pause", paused);
    assertThat(paused.json().path("state").asString()).isEqualTo("paused");
    Reply tuned = rig.send("op", "PUT", SINK, "{\"maxConcurrency\":8,\"batchAgeMaxMillis\":7}");
    assertFits("PUT /v1/sinks/{id}", tuned);
    assertThat(tuned.json().path("settings").toString())
        .isEqualTo(
            "{\"batchRecordsMax\":10,\"batchBytesMax\":65536,\"batchAgeMaxMillis\":7,"
                + "\"maxConcurrency\":8}");
    assertThat(rig.post(SINK + "/rewind", "{\"sequence\":1}").status()).isEqualTo(200);
    assertThat(rig.shown().path("waiting").asLong()).isEqualTo(2);
    rig.post(SINK + "/resume", "");
    rig.awaitSettled();
    assertThat(rig.sink.sent).hasSize(4);
    Reply rewound = rig.post(SINK + "/rewind", "{\"time\":\"2026-03-01T18:00:00+09:00\"}");
    assertFits("POST /v1/sinks/{id}/rewind", rewound);
    rig.awaitSettled();
    assertThat(rig.sink.sent).hasSize(6);
    assertThat(rig.get("/v1/ledger").json().path("residue").asLong()).isZero();
  }

  @Test
  void sink_rewoundPastWhatWaits_isRefusedAndLeavesNothingOut() throws Exception {
    rig.post(SINK + "/pause", "");
    collect(1, 2, 3);
    assertRefused("POST", SINK + "/rewind", "{\"sequence\":2}", 409, "sequence");
    assertThat(rig.shown().path("waiting").asLong()).isEqualTo(3);
    rig.post(SINK + "/resume", "");
    rig.awaitSettled();
    assertThat(rig.sink.sent).hasSize(3);
  }

  @Test
  void sink_wronglyAsked_saysFieldAndReason() throws Exception {
    collect(1);
    assertRefused("PUT", SINK, "{\"maxConcurrency\":9}", 400, "maxConcurrency");
    assertRefused("PUT", SINK, "{\"batchRecordsMax\":0}", 400, "batchRecordsMax");
    assertRefused("PUT", SINK, "{\"batchBytesMax\":1.5}", 400, "batchBytesMax");
    assertRefused("PUT", SINK, "{\"speed\":1}", 400, "speed");
    assertRefused("PUT", SINK, "[]", 400, "body");
    assertRefused("POST", SINK + "/rewind", "", 400, "body");
    assertRefused("POST", SINK + "/rewind", "{}", 400, "body");
    assertRefused("POST", SINK + "/rewind", "{\"sequence\":3}", 400, "sequence");
    assertRefused("POST", SINK + "/rewind", "{\"sequence\":2}", 400, "sequence");
    assertRefused("POST", SINK + "/rewind", "{\"sequence\":0}", 400, "sequence");
    assertRefused("POST", SINK + "/rewind", "{\"time\":\"2199-01-01T00:00:00Z\"}", 400, "time");
    assertRefused("POST", SINK + "/rewind", "{\"time\":\"yesterday\"}", 400, "time");
    assertRefused("DELETE", SINK, "", 409, "id");
    for (String verb : List.of("/pause", "/resume", "/rewind")) {
      assertRefused("POST", "/v1/sinks/none" + verb, "", 404, "id");
    }
    assertRefused("GET", "/v1/sinks/none", "", 404, "id");
    assertRefused("DELETE", "/v1/sinks/none", "", 404, "id");
  }

  @Test
  void sink_thatTheSettingsNameNoMore_isShownAndForgotten() throws Exception {
    rig.post(SINK + "/pause", "");
    collect(1, 2, 3);
    rig.close();
    rig = new AccountRig(data, false);
    Reply list = rig.get("/v1/sinks");
    assertFits("GET /v1/sinks", list);
    JsonNode left = list.json().path("items").path(0);
    assertThat(left.path("name").asString()).isEqualTo(AccountRig.SINK);
    assertThat(left.path("state").asString()).isEqualTo("unconfigured");
    assertThat(left.path("waiting").asLong()).isEqualTo(3);
    assertThat(left.has("settings")).isFalse();
    assertRefused("POST", SINK + "/resume", "", 409, "id");
    assertThat(rig.send("op", "DELETE", SINK, "").status()).isEqualTo(204);
    assertThat(rig.get("/v1/sinks").json().path("items").size()).isZero();
    assertRefused("DELETE", SINK, "", 404, "id");
  }

  private void assertRefused(String method, String path, String body, int status, String field)
      throws Exception {
    Reply reply = rig.send("op", method, path, body);
    assertThat(reply.status()).as(method + " " + path + " " + reply.body()).isEqualTo(status);
    assertThat(reply.json().path("field").asString()).isEqualTo(field);
    assertThat(reply.json().path("reason").asString()).isNotEmpty();
  }

  /** Sends a position for each of these times. */
  private void collect(long... times) throws Exception {
    List<String> records = LongStream.of(times).mapToObj(TRACE::formatted).toList();
    assertThat(rig.post("/v1/traces", records.toString()).status()).isEqualTo(202);
  }

  private static JsonNode row(Reply ledger, String stream) {
    for (JsonNode row : ledger.json().path("items")) {
      if (row.path("stream").asString().equals(stream)) {
        return row;
      }
    }
    throw new AssertionError("no row for " + stream + " in " + ledger);
  }

  private void assertFits(String operation, Reply reply) {
    ApiDocument.Operation described = document.operations().get(operation);
    assertThat(described).as(operation).isNotNull();
    JsonNode schema =
        document.answer(Objects.requireNonNull(described), reply.status(), "application/json");
    assertThat(schema.isMissingNode()).as(operation + " " + reply).isFalse();
    assertThat(document.faults(schema, reply.json())).as(reply.body()).isEmpty();
  }
}
