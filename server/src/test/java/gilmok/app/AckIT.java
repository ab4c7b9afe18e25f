package gilmok.app;

import static gilmok.app.AccountRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.app.AccountRig.Reply;
import gilmok.app.AccountRig.TestSink;
import gilmok.collect.AckConfig;
import gilmok.collect.CollectConfig;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.sinks.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A 202 that waits for a sink, over HTTP, on a real log and a sink whose verdicts a test sets. */
@Tag("server")
final class AckIT {
  private static final String TRACE = "{\"riderId\":\"r\",\"at\":%d,\"lat\":1,\"lon\":1}";
  private static final String BAD = "{\"riderId\":\"r\",\"at\":1,\"lat\":99,\"lon\":1}";
  private static final String PAUSE = "/v1/sinks/" + AccountRig.SINK + "/pause";
  private static final String RESUME = "/v1/sinks/" + AccountRig.SINK + "/resume";

  @TempDir Path data;
  private @Nullable AccountRig opened;

  private AccountRig start(String... settings) throws Exception {
    Map<String, String> all = new HashMap<>(Map.of("collect.ack", AccountRig.SINK));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    opened = new AccountRig(data, true, CollectConfig.from(new Settings(all)));
    return opened;
  }

  @AfterEach
  void stop() throws Exception {
    if (opened != null) {
      opened.close();
    }
  }

  private static Reply collect(AccountRig rig, int at) throws Exception {
    return rig.post("/v1/traces", TRACE.formatted(at));
  }

  private static CompletableFuture<Reply> collecting(AccountRig rig, int at) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return collect(rig, at);
          } catch (Exception failed) {
            throw new IllegalStateException(failed);
          }
        });
  }

  private static Reply reply(CompletableFuture<Reply> asked) throws Exception {
    return asked.get(30, TimeUnit.SECONDS);
  }

  private static void assertDurable(Reply reply, String by) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
    assertThat(reply.json().path("receipt").path("durable").asString()).isEqualTo(by);
  }

  private static void assertAway(Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(503);
    assertThat(reply.json().path("type").asString()).endsWith("sink-away");
    assertThat(reply.retryAfter()).matches("[1-5]");
  }

  @Test
  void answer_leavesWhenTheSinkHasIt() throws Exception {
    AccountRig rig = start("collect.ack-wait", "1 min");
    CountDownLatch answers = new CountDownLatch(1);
    rig.sink.answer =
        batch -> {
          awaitQuietly(answers);
          return TestSink.done(batch);
        };
    CompletableFuture<Reply> asked = collecting(rig, 1);
    await(() -> rig.log.durable() == 1);
    assertThat(asked).as("it is on disk, and that is not what counts").isNotDone();
    answers.countDown();
    assertDurable(reply(asked), AccountRig.SINK);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void disk_isWhatCountsByDefault() throws Exception {
    AccountRig rig = start("collect.ack", "log");
    rig.sink.answer = batch -> new Verdict.Retry(Verdict.Cause.FAILED, "away");
    assertDurable(collect(rig, 1), "disk");
  }

  @Test
  void sinkAway_isRefused_nothingMoreIsAppended_andItComesBack() throws Exception {
    AccountRig rig = start("collect.ack-wait", "300 ms");
    rig.sink.answer = batch -> new Verdict.Retry(Verdict.Cause.FAILED, "away");
    assertAway(collect(rig, 1));
    assertThat(Objects.requireNonNull(rig.acks.lack()).reason()).contains(AccountRig.SINK);
    long written = rig.log.early().written();
    for (int i = 2; i < 40; i++) {
      assertAway(collect(rig, i));
    }
    assertThat(rig.log.early().written())
        .as("some may try, most are not appended")
        .isLessThan(written + 38);
    rig.sink.answer = TestSink::done;
    await(() -> rig.acks.lack() == null);
    assertDurable(collect(rig, 100), AccountRig.SINK);
    Reply again = collect(rig, 1);
    assertThat(again.status()).isEqualTo(202);
    assertThat(again.json().path("duplicates").asInt()).as("it was kept, and sent").isEqualTo(1);
    rig.awaitSettled();
    assertThat(rig.get("/v1/ledger").json().path("residue").asLong()).isZero();
  }

  @Test
  void sinkAway_elseDisk_isAnsweredFromDisk() throws Exception {
    AccountRig rig = start("collect.ack-wait", "100 ms", "collect.ack-else", "disk");
    rig.sink.answer = batch -> new Verdict.Retry(Verdict.Cause.FAILED, "away");
    for (int i = 1; i < 20; i++) {
      assertDurable(collect(rig, i), "disk");
    }
    rig.sink.answer = TestSink::done;
    await(() -> rig.acks.lack() == null);
    assertDurable(collect(rig, 100), AccountRig.SINK);
  }

  @Test
  void partlyTaken_isAnsweredWhenAllIs() throws Exception {
    AccountRig rig = start("collect.ack-wait", "1 min");
    CountDownLatch rest = new CountDownLatch(1);
    rig.sink.answer =
        batch -> {
          if (batch.size() == 1) {
            awaitQuietly(rest);
            return TestSink.done(batch);
          }
          BitSet second = new BitSet();
          second.set(1);
          StreamCounts one = new StreamCounts();
          one.add(Stream.TRACES);
          return new Verdict.RetryThese(second, one, "p", Verdict.Cause.THROTTLED, "slow down");
        };
    String two = "[" + TRACE.formatted(1) + "," + TRACE.formatted(2) + "]";
    CompletableFuture<Reply> asked =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return rig.post("/v1/traces", two);
              } catch (Exception failed) {
                throw new IllegalStateException(failed);
              }
            });
    await(() -> rig.sink.sent.contains(2L));
    assertThat(asked).isNotDone();
    rest.countDown();
    assertDurable(reply(asked), AccountRig.SINK);
  }

  @Test
  void invalidRecords_areAtTheSinkToo() throws Exception {
    AccountRig rig = start("collect.ack-wait", "1 min");
    Reply reply = rig.post("/v1/traces", "[" + BAD + "," + TRACE.formatted(1) + "]");
    assertDurable(reply, AccountRig.SINK);
    assertThat(reply.json().path("quarantined").size()).isEqualTo(1);
    assertThat(rig.sink.sent).contains(1L, 2L);
  }

  @Test
  void pausedSink_isAway() throws Exception {
    AccountRig rig = start("collect.ack-wait", "1 min");
    assertDurable(collect(rig, 1), AccountRig.SINK);
    rig.post(PAUSE, "");
    assertAway(collect(rig, 2));
    rig.post(RESUME, "");
    assertDurable(collect(rig, 2), AccountRig.SINK);
  }

  @Test
  void rewoundSink_answersWhenItHasCaughtUp() throws Exception {
    AccountRig rig = start("collect.ack-wait", "1 min");
    for (int i = 1; i <= 5; i++) {
      assertDurable(collect(rig, i), AccountRig.SINK);
    }
    Reply rewound = rig.post("/v1/sinks/" + AccountRig.SINK + "/rewind", "{\"sequence\":1}");
    assertThat(rewound.status()).as(rewound.body()).isEqualTo(200);
    assertDurable(collect(rig, 6), AccountRig.SINK);
    rig.awaitSettled();
    assertThat(rig.get("/v1/ledger").json().path("residue").asLong()).isZero();
  }

  @Test
  void replayedFromQuarantine_waitsForTheSinkToo() throws Exception {
    AccountRig rig = start("collect.ack-wait", "1 min");
    assertThat(rig.post("/v1/traces", "[" + BAD + "," + TRACE.formatted(1) + "]").status())
        .isEqualTo(202);
    CountDownLatch answers = new CountDownLatch(1);
    rig.sink.answer =
        batch -> {
          awaitQuietly(answers);
          return TestSink.done(batch);
        };
    CompletableFuture<Reply> asked =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return rig.post("/v1/quarantine/2/replay", TRACE.formatted(7));
              } catch (Exception failed) {
                throw new IllegalStateException(failed);
              }
            });
    await(() -> rig.log.durable() == 3);
    assertThat(asked).isNotDone();
    answers.countDown();
    assertThat(reply(asked).status()).isEqualTo(200);
  }

  @Test
  void sinkThatDoesNotAnswerDurably_mayOnlyAcknowledgeUnsafely() throws Exception {
    AccountRig rig = start();
    assertThatThrownBy(() -> acks(true).began(rig.sinks.shippers()))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("answers durably: use collect.ack");
    rig.sink.isDurable = false;
    acks(true).began(rig.sinks.shippers());
    assertThatThrownBy(() -> acks(false).began(rig.sinks.shippers()))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("is not durable: collect.unsafe-ack allows it");
  }

  private static NodeLog.SinkAcks acks(boolean isUnsafe) {
    return new NodeLog.SinkAcks(
        new AckConfig(AccountRig.SINK, isUnsafe, Duration.ofSeconds(2), AckConfig.Else.REFUSE));
  }

  @Test
  void settings_everythingWrongIsNamed() {
    assertWrong("is neither disk nor a sink that runs here", "collect.ack", "firehose");
    assertWrong("must ship traces, actions, logs and quarantine", redis("collect.ack"));
    assertWrong("a sink of files", "sinks.enabled", "files", "collect.ack", "files");
    assertWrong(
        "collect.ack names a sink already",
        "sinks.enabled",
        "files",
        "collect.ack",
        "files",
        "collect.unsafe-ack",
        "files");
    assertWrong("collect.ack-else", "collect.ack-else", "nothing");
  }

  private static String[] redis(String key) {
    return new String[] {
      "sinks.enabled", "redis", "redis.url", "redis://127.0.0.1:1", key, "redis"
    };
  }

  private static void assertWrong(String what, String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    assertThatThrownBy(() -> ServerConfig.from(new Settings(all)))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(what);
  }
}
