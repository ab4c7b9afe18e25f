package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.AccountRig.Reply;
import gilmok.app.AccountRig.TestSink;
import gilmok.log.StreamCounts;
import gilmok.process.Main;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The replay of a whole quarantine: which records are replayed, its progress, and who may not. */
@Tag("server")
final class QuarantineReplayIT {
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

  private JsonNode replayed(String filter) throws Exception {
    Reply begun = rig.post("/v1/quarantine-replays", filter);
    assertThat(begun.status()).as(begun.body()).isEqualTo(202);
    assertFits("POST /v1/quarantine-replays", begun);
    String path = "/v1/quarantine-replays/" + begun.json().path("id").asString();
    AccountRig.await(() -> rig.get(path).json().path("done").asBoolean());
    Reply ended = rig.get(path);
    assertFits("GET /v1/quarantine-replays/{id}", ended);
    assertThat(ended.json().path("pending").asLong()).isZero();
    return ended.json();
  }

  @Test
  void replay_ofAllThatASinkRefused_sendsItOnceMore() throws Exception {
    AtomicBoolean isMended = new AtomicBoolean();
    rig.sink.answer =
        batch -> {
          BitSet refused = new BitSet();
          for (int i = 0; i < batch.size(); i++) {
            refused.set(i, !isMended.get() || batch.sequence(i) == 7);
          }
          BitSet taken = new BitSet();
          taken.set(0, batch.size());
          taken.andNot(refused);
          Verdict rest = TestSink.done(batch.only(taken));
          return refused.isEmpty()
              ? rest
              : new Verdict.RejectThese(refused, "at", "too old, by rule 9", rest);
        };
    for (long at = 1; at <= 1200; at += 100) {
      collect(LongStream.range(at, at + 100).toArray());
    }
    rig.awaitSettled();
    assertThat(row(rig.get("/v1/ledger"), "traces").path("quarantined").asLong()).isEqualTo(1200);
    isMended.set(true);

    assertThat(replayed("{\"reason\":\"rule 8\"}").path("found").asLong()).isZero();
    assertThat(replayed("{\"stream\":\"logs\"}").path("found").asLong()).isZero();
    assertThat(replayed("{\"to\":\"2026-03-01T08:59:59Z\"}").path("found").asLong()).isZero();
    JsonNode all =
        replayed(
            "{\"sink\":\"%s\",\"reason\":\"rule 9\",\"from\":\"2026-03-01T09:00:00Z\"}"
                .formatted(AccountRig.SINK));
    assertThat(all.path("found").asLong()).isEqualTo(1200);
    assertThat(all.path("replayed").asLong()).isEqualTo(1199);
    assertThat(all.path("failed").asLong()).as("refused again").isEqualTo(1);
    Reply ledger = rig.get("/v1/ledger");
    assertThat(row(ledger, "traces").path("quarantined").asLong()).isEqualTo(1);
    assertThat(ledger.json().path("residue").asLong()).isZero();

    JsonNode again = replayed("");
    assertThat(again.path("replayed").asLong()).as("idempotent").isZero();
    assertThat(again.path("settledBefore").asLong()).isGreaterThanOrEqualTo(1199);
  }

  @Test
  void replay_ofWhatHasNoReceiptAnyMore_isNotCalledSettled() throws Exception {
    rig.sink.answer = QuarantineReplayIT::refuseAll;
    collect(1);
    rig.awaitSettled();
    Path receipts = data.resolve("receipts");
    AccountRig.await(() -> bytes(receipts) > 8);
    for (Path file : files(receipts)) {
      Files.delete(file);
    }
    rig.sink.answer = TestSink::done;

    JsonNode all = replayed("");
    assertThat(all.path("found").asLong()).isEqualTo(1);
    assertThat(all.path("settledBefore").asLong()).isZero();
    assertThat(all.path("failed").asLong()).isEqualTo(1);
    assertThat(all.path("receiptsMissing").asLong()).isEqualTo(1);
    Reply ledger = rig.get("/v1/ledger");
    assertThat(row(ledger, "traces").path("quarantined").asLong()).as("still").isEqualTo(1);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var paths = Files.list(folder)) {
      return paths.toList();
    }
  }

  private static long bytes(Path folder) throws IOException {
    long bytes = 0;
    for (Path file : files(folder)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static Verdict refuseAll(Batch batch) {
    BitSet all = new BitSet();
    all.set(0, batch.size());
    return new Verdict.RejectThese(all, "", "no", new Verdict.Done(new StreamCounts(), ""));
  }

  @Test
  void replay_ofAllThatCollectingSetAside_countsWhatIsStillWrong() throws Exception {
    rig.post("/v1/traces", "[" + TRACE.formatted(1) + "," + BAD + "," + BAD + "]");
    JsonNode all = replayed("{}");
    assertThat(all.path("found").asLong()).isEqualTo(2);
    assertThat(all.path("failed").asLong()).isEqualTo(2);
  }

  @Test
  void replay_ofAll_wronglyAsked_saysFieldAndReason() throws Exception {
    String path = "/v1/quarantine-replays";
    assertRefused("POST", path, "[]", 400, "body");
    assertRefused("POST", path, "{\"sinks\":\"a\"}", 400, "sinks");
    assertRefused("POST", path, "{\"sink\":\"none\"}", 400, "sink");
    assertRefused("POST", path, "{\"sink\":7}", 400, "sink");
    assertRefused("POST", path, "{\"stream\":\"x\"}", 400, "stream");
    assertRefused("POST", path, "{\"from\":\"yesterday\"}", 400, "from");
    assertRefused(
        "POST",
        path,
        "{\"from\":\"2026-03-01T09:00:00Z\",\"to\":\"2026-03-01T09:00:00Z\"}",
        400,
        "to");
    assertRefused("GET", path + "/1", "", 404, "id");
  }

  @Test
  void replay_whileAnotherOneRuns_isRefused() throws Exception {
    rig.sink.answer = QuarantineReplayIT::refuseAll;
    collect(1);
    rig.awaitSettled();
    rig.post(SINK + "/pause", "");
    Reply begun = rig.post("/v1/quarantine-replays", "");
    assertRefused("POST", "/v1/quarantine-replays", "", 409, "id");
    rig.sink.answer = TestSink::done;
    rig.post(SINK + "/resume", "");
    String path = "/v1/quarantine-replays/" + begun.json().path("id").asString();
    AccountRig.await(() -> rig.get(path).json().path("done").asBoolean());
    assertThat(rig.get(path).json().path("replayed").asLong()).isEqualTo(1);
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
