package gilmok.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.LogConfig;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An entry is durable before its change, and copied into the documents, whatever fails. */
@Tag("unit")
class AuditTest {
  private static final Actor ACTOR = new Actor("abcdefghijkl", "ops", "127.0.0.1");

  @TempDir Path folder;

  static AuditEntry entry(String target) {
    return new AuditEntry(
        AuditAction.SINK_TUNED,
        ACTOR,
        target,
        "{\"batchRecordsMax\":1}",
        "{\"batchRecordsMax\":2}");
  }

  @Test
  void change_made_itsEntryWasDurableBefore_andIsCopiedWhole() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      List<JsonNode> whileChanging = new ArrayList<>();
      String result =
          rig.audit.change(
              entry("files"),
              () -> {
                whileChanging.addAll(inLog(rig));
                return "made";
              });
      assertThat(result).isEqualTo("made");
      assertThat(whileChanging).hasSize(1);
      AuditStore.Row row = rig.rows().getFirst();
      JsonNode json = JsonMapper.shared().readTree(row.json());
      assertThat(json).isEqualTo(whileChanging.getFirst());
      assertThat(json.path("id").stringValue()).isEqualTo(row.id()).matches("[0-9a-f]{12}-.{12}");
      assertThat(json.path("at").stringValue()).isEqualTo("2026-11-21T09:00:00Z");
      assertThat(json.path("node").stringValue()).isEqualTo(AuditRig.NODE.toString());
      assertThat(json.path("key").stringValue()).isEqualTo("abcdefghijkl");
      assertThat(json.path("keyName").stringValue()).isEqualTo("ops");
      assertThat(json.path("address").stringValue()).isEqualTo("127.0.0.1");
      assertThat(json.path("action").stringValue()).isEqualTo("sink.tuned");
      assertThat(json.path("target").stringValue()).isEqualTo("files");
      assertThat(json.path("before").path("batchRecordsMax").intValue()).isEqualTo(1);
      assertThat(json.path("after").path("batchRecordsMax").intValue()).isEqualTo(2);
      assertThat(json.path("outcome").stringValue()).isEqualTo("done");
    }
  }

  @Test
  void change_fails_theEntrySaysSo_andTheFailureIsTheCallers() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      assertThatThrownBy(
              () ->
                  rig.audit.change(
                      entry("files"),
                      () -> {
                        throw new IOException("the documents are away");
                      }))
          .hasMessage("the documents are away");
      assertThat(inLog(rig)).hasSize(2);
      assertThat(rig.rows()).hasSize(1);
      JsonNode json = JsonMapper.shared().readTree(rig.rows().getFirst().json());
      // A store that did not answer may have made the change.
      assertThat(json.path("outcome").stringValue()).isEqualTo("unknown");
      assertThat(json.path("error").stringValue()).isEqualTo("the documents are away");
      assertThat(json.path("target").stringValue()).isEqualTo("files");
    }
  }

  @Test
  void change_foundImpossible_theEntrySaysSo() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      boolean isMade =
          rig.audit.change(entry("files"), () -> false, made -> made ? null : "it was gone");
      assertThat(isMade).isFalse();
      JsonNode json = JsonMapper.shared().readTree(rig.rows().getFirst().json());
      assertThat(json.path("outcome").stringValue()).isEqualTo("failed");
      assertThat(json.path("error").stringValue()).isEqualTo("it was gone");
    }
  }

  @Test
  void change_theLogTakesNothing_nothingIsChanged() throws Exception {
    AuditRig rig = new AuditRig(folder);
    rig.close();
    List<String> changes = new ArrayList<>();
    assertThatThrownBy(() -> rig.audit.change(entry("files"), () -> changes.add("made")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing is changed: the log is closed; the documents: ");
    assertThat(changes).isEmpty();
  }

  /** A paused sink may have filled the log: it has to be possible to resume it. */
  @Test
  void change_theLogHasNoRoom_itsEntryIsInTheDocuments_beforeIt() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      boolean _ = rig.audit.change(entry("first"), () -> true);
      assertThat(rig.rows()).hasSize(1);
      assertThat(rig.log.cursor("paused").sequence()).isZero();
      rig.fill();
      boolean _ =
          rig.audit.change(
              entry("files"),
              () -> {
                assertThat(rig.rows()).hasSize(2);
                return true;
              });
      assertThatThrownBy(
              () ->
                  rig.audit.change(
                      entry("files"),
                      () -> {
                        throw new IOException("no");
                      }))
          .hasMessage("no");
      assertThat(rig.rows().stream().map(AuditTest::outcome))
          .containsExactlyInAnyOrder("done", "done", "unknown");
      assertThat(rig.log.accepted().of(Stream.AUDIT)).isEqualTo(1);
    }
  }

  /** What became of it went straight into the documents; what is copied late is from before it. */
  @Test
  void whatBecameOfAChange_isNotReplacedByTheEntryFromBeforeIt() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      boolean _ = rig.audit.change(entry("first"), () -> true);
      assertThat(rig.rows()).hasSize(1);
      rig.audit.drain(Duration.ofSeconds(5)); // nothing is copied meanwhile
      assertThatThrownBy(
              () ->
                  rig.audit.change(
                      entry("files"),
                      () -> {
                        rig.fill();
                        throw new IOException("no");
                      }))
          .hasMessage("no");
      assertThat(rig.log.accepted().of(Stream.AUDIT)).isEqualTo(2);
    }
    try (AuditRig rig = new AuditRig(folder)) {
      assertThat(rig.rows().stream().map(AuditTest::outcome)).containsExactly("unknown", "done");
    }
  }

  /** A full disk takes no new format of the folder; the documents may take the entry. */
  @Test
  void change_theFolderCannotBeRaised_itsEntryIsInTheDocuments_andTheNextInTheLog()
      throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      rig.isFull.set(true);
      boolean _ = rig.audit.change(entry("first"), () -> true);
      assertThat(rig.log.accepted().of(Stream.AUDIT)).isZero();
      assertThat(rig.store.page(new AuditStore.Question("0", "g", null, 10), rig.now.get()))
          .hasSize(1);
      rig.isFull.set(false);
      boolean _ = rig.audit.change(entry("second"), () -> true);
      assertThat(rig.rows()).hasSize(2);
      assertThat(rig.log.accepted().of(Stream.AUDIT)).isEqualTo(1);
    }
  }

  private static String outcome(AuditStore.Row row) {
    return JsonMapper.shared().readTree(row.json()).path("outcome").stringValue();
  }

  /** A full log that may give up records of others keeps those that are not copied. */
  @Test
  void logThatGivesUpRecords_keepsEntriesThatAreNotCopied() throws Exception {
    try (AuditRig rig = new AuditRig(folder, LogConfig.WhenFull.DETACH)) {
      boolean _ = rig.audit.change(entry("first"), () -> true);
      assertThat(rig.rows()).hasSize(1);
      rig.fill(); // all is copied: it goes on
      rig.fill();
      rig.audit.drain(Duration.ofSeconds(5));
      boolean _ = rig.audit.change(entry("not-copied"), () -> true);
      rig.fill();
      rig.fill();
      assertThat(inLog(rig)).hasSize(1);
    }
    try (AuditRig rig = new AuditRig(folder)) {
      rig.awaitRows(2);
    }
  }

  @Test
  void keysThatSomebodyPutInNames_areNotKept() throws Exception {
    String key = "gk_abcdefghijkl_" + "a2".repeat(26);
    try (AuditRig rig = new AuditRig(folder)) {
      boolean _ =
          rig.audit.change(
              new AuditEntry(
                  AuditAction.PARTNER_CHANGED,
                  new Actor("abcdefghijkl", key, null),
                  "p" + key,
                  null,
                  "{\"url\":\"https://p.example/?a=" + key + "\"}"),
              () -> true);
      String json = rig.rows().getFirst().json();
      assertThat(json).doesNotContain("a2a2").contains("***", "\"key\":\"abcdefghijkl\"");
      assertThat(JsonMapper.shared().readTree(json).path("after").path("url").stringValue())
          .isEqualTo("https://p.example/?a=***");
    }
  }

  @Test
  void oneByOne_changesOfOneTarget_haveTheEntryBeforeAsBefore() throws Exception {
    AtomicInteger state = new AtomicInteger();
    try (AuditRig rig = new AuditRig(folder)) {
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 1; i <= 40; i++) {
          int next = i;
          Future<?> _ =
              threads.submit(() -> rig.audit.oneByOne("device/d", () -> set(rig, state, next)));
        }
      }
      assertThat(rig.rows()).hasSize(40);
      String after = "0";
      for (AuditStore.Row row : rig.rows().reversed()) {
        JsonNode json = JsonMapper.shared().readTree(row.json());
        assertThat(json.path("before").toString()).isEqualTo(after);
        after = json.path("after").toString();
      }
    }
  }

  private static int set(AuditRig rig, AtomicInteger state, int next)
      throws IOException, InterruptedException {
    String before = Integer.toString(state.get());
    String after = Integer.toString(next);
    return rig.audit.change(
        new AuditEntry(AuditAction.DEVICE_TIED, ACTOR, "d", before, after),
        () -> state.getAndSet(next));
  }

  @Test
  void folder_isRaisedWithTheFirstEntry_andNotBefore() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      append(rig, 20);
      assertThat(rig.raised).hasValue(0);
      assertThat(rig.log.cursors()).doesNotContain(AuditReader.CURSOR);
      boolean _ = rig.audit.change(entry("files"), () -> true);
      assertThat(rig.raised).hasValue(1);
    }
  }

  /** Entries lie between records of other streams, over many segments; a restart is in between. */
  @Test
  void entriesAmongManyRecords_areAllCopied_alsoAfterARestart() throws Exception {
    int made = 0;
    for (int life = 0; life < 3; life++) {
      try (AuditRig rig = new AuditRig(folder)) {
        for (int i = 0; i < 5; i++) {
          rig.now.addAndGet(life * 10 + 1);
          append(rig, 40);
          boolean _ = rig.audit.change(entry("sink-" + made), () -> true);
          made++;
          append(rig, 40);
        }
        assertThat(rig.rows()).hasSize(made);
        assertThat(rig.failures).isEmpty();
      }
    }
    try (AuditRig rig = new AuditRig(folder)) {
      assertThat(rig.rows()).hasSize(made);
      assertThat(rig.log.accepted().of(Stream.AUDIT)).isEqualTo(made);
    }
  }

  @Test
  void page_rangeKeyAndLimit_newestFirst_andNothingThatHasExpired() throws Exception {
    try (AuditRig rig = new AuditRig(folder)) {
      long start = rig.now.get();
      for (int i = 0; i < 6; i++) {
        rig.now.set(start + i * 1000);
        AuditEntry entry =
            new AuditEntry(
                AuditAction.KEY_REVOKED,
                new Actor(i % 2 == 0 ? "even" : "odd", "x", null),
                "k" + i,
                null,
                null);
        boolean _ = rig.audit.change(entry, () -> true);
      }
      assertThat(rig.rows()).hasSize(6);
      assertThat(targets(rig, AuditId.from(start + 1000), AuditId.from(start + 4000), null, 10))
          .containsExactly("k3", "k2", "k1");
      assertThat(targets(rig, "0", "g", "odd", 10)).containsExactly("k5", "k3", "k1");
      assertThat(targets(rig, "0", "g", "odd", 2)).containsExactly("k5", "k3");
      assertThat(targets(rig, "0", "g", "nobody", 2)).isEmpty();
      rig.now.set(start + AuditRig.RETENTION.toMillis() + 2500);
      assertThat(targets(rig, "0", "g", null, 10)).containsExactly("k5", "k4", "k3");
      // The next entry removes what has expired.
      boolean _ = rig.audit.change(entry("later"), () -> true);
      assertThat(rig.rows()).hasSize(4);
      assertThat(rig.store.page(new AuditStore.Question("t", "u", null, 10), rig.now.get()))
          .hasSize(1); // how far it is copied does not expire
      rig.now.set(start);
      assertThat(targets(rig, "0", "g", null, 10)).doesNotContain("k0", "k1", "k2");
    }
  }

  private static List<String> targets(
      AuditRig rig, String from, String below, @Nullable String key, int limit) throws Exception {
    return rig.store.page(new AuditStore.Question(from, below, key, limit), rig.now.get()).stream()
        .map(row -> JsonMapper.shared().readTree(row.json()).path("target").stringValue())
        .toList();
  }

  static List<JsonNode> inLog(AuditRig rig) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    EventView view = new EventView();
    try (LogReader reader = rig.log.reader(1)) {
      while (reader.next()) {
        if (reader.stream() == Stream.AUDIT) {
          JsonBuffer out = new JsonBuffer();
          view.wrap(reader.bytes(), reader.offset(), reader.length()).writeJson(out);
          found.add(JsonMapper.shared().readTree(out.toString()));
        }
      }
    }
    return found;
  }

  /** Appends records of another stream, some 300 bytes each. */
  static void append(AuditRig rig, int count) throws Exception {
    AppendBatch batch = new AppendBatch();
    byte[] record = "x".repeat(300).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < count; i++) {
      batch.add(Stream.LOGS, record, 0, record.length, System.nanoTime(), i);
    }
    CountDownLatch durable = new CountDownLatch(1);
    AppendResult result = AppendResult.FULL;
    for (int i = 0; i < 2000 && result != AppendResult.TAKEN; i++) {
      result = rig.log.append(batch, AppendCompletion.of(durable::countDown));
      if (result != AppendResult.TAKEN) {
        LockSupport.parkNanos(2_000_000);
      }
    }
    assertThat(result).isEqualTo(AppendResult.TAKEN);
    durable.await();
  }
}
