package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.sinks.kafka.KafkaProcess;
import gilmok.sinks.kafka.KafkaTopics;
import gilmok.sinks.kafka.KafkaTopics.Written;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept over Kafka, also after a restart and where others write into the topics. */
@Tag("engine")
@Timeout(240)
final class FleetKafkaIT extends FleetContract {

  private static KafkaProcess kafka;

  private final String prefix = "f" + System.nanoTime() + ".";
  private final String traces = prefix + "traces";
  private final String latest = prefix + "latest";

  @BeforeAll
  static void startKafka(@TempDir Path shared) throws Exception {
    kafka = KafkaProcess.start(shared);
  }

  @AfterAll
  static void stopKafka() throws Exception {
    if (kafka != null) {
      kafka.close();
    }
  }

  @Override
  void cut() throws Exception {
    kafka.kill();
  }

  @Override
  String reason() {
    return "no broker answers";
  }

  @Override
  void mend() throws Exception {
    kafka.restart();
  }

  @Override
  String[] settings() {
    return new String[] {
      "sinks.enabled=kafka",
      "sinks.kafka.bootstrap-servers=" + kafka.servers(),
      "sinks.kafka.topic-prefix=" + prefix,
      "sinks.kafka.latest-topic=" + latest,
      "sinks.kafka.create-topics=true",
      "sinks.kafka.partitions=3",
      "sinks.kafka.min-insync-replicas=1",
      "sinks.kafka.unsafe-min-insync-replicas=true",
      "sinks.kafka.send-timeout=2 s",
      "sinks.kafka.retry-max=500 ms",
      "sinks.kafka.batch-age-max=5 ms",
      "positions.follow=kafka"
    };
  }

  @Test
  void aRestartedNode_knowsTheFleet_beforeItIsReady() throws Exception {
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    other.close();
    KafkaTopics topics = kafka.topics();
    List<Written> silent = new ArrayList<>();
    for (int i = 0; i < 1200; i++) {
      silent.add(new Written(latest, "h" + i, line("h" + i, i % 90), "elsewhere:" + i));
    }
    topics.write(silent.toArray(Written[]::new));
    post(server, "b", now, 2);
    post(server, "a", now + 1, 3);
    Program.await(() -> topics.read(latest).stream().anyMatch(one -> "b".equals(one.key())));
    topics.write(
        new Written(traces, "c", line("c", 4), "elsewhere:1201")); // not among the newest yet
    other = RunningServer.start(folder.resolve("other"), settings());
    other.awaitReady();
    assertThat(lat(other, "a")).isEqualTo(3);
    assertThat(lat(other, "b")).isEqualTo(2);
    assertThat(lat(other, "c")).isEqualTo(4);
    assertThat(lat(other, "h1199")).isEqualTo(1199 % 90);
    assertThat(other.metric("gilmok_positions_riders")).isEqualTo(1203);
    assertThat(other.metric(REBUILDS)).isEqualTo(1);
  }

  @Test
  void topicsDeleted_areMadeAnew_andReadAnew() throws Exception {
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    kafka.topics().delete(traces);
    kafka.topics().delete(latest);
    Program.await(() -> server.metric(REBUILDS) == 2);
    Program.await(() -> other.metric(REBUILDS) == 2);
    post(other, "b", now, 2);
    awaitLat(server, "b", 2);
    assertThat(lat(server, "a")).as("is still known").isEqualTo(1);
  }

  @Test
  void wrongRecords_areSkipped_andTheNextIsRead() throws Exception {
    kafka
        .topics()
        .write(
            new Written(traces, "a", "not JSON", "x:1"),
            new Written(traces, null, null, "a", "{}", null),
            new Written(traces, "a", line("", 1), "x:2"),
            new Written(traces, null, null, "a", null, "x:3"),
            new Written(traces, "a", "x".repeat(900_000), "x:4"));
    post(other, "a", now, 1);
    awaitLat(server, "a", 1);
    Program.await(() -> server.metric(READ.formatted("invalid")) == 5);
    assertThat(server.get("/health/ready").status()).isEqualTo(200);
  }

  @Test
  void withoutTopics_aStartWaits_thenServesItsOwn_andSaysSo(@TempDir Path alone) throws Exception {
    String[] settings =
        with(
            settings(),
            "sinks.kafka.topic-prefix=none." + prefix,
            "sinks.kafka.create-topics=false",
            "positions.follow-wait=2 s");
    try (RunningServer third = RunningServer.start(alone, settings)) {
      RunningServer.Reply early = third.get("/health/ready");
      assertThat(early.status()).as(early.body()).isEqualTo(503);
      assertThat(early.body()).contains("fleet", "have not all been read");
      third.awaitReady();
      assertThat(third.get("/health/ready").body()).contains("have not all been read");
      Program.await(() -> third.get("/health/ready").body().contains("no topic none." + traces));
      post(third, "a", now, 1);
      awaitLat(third, "a", 1);
      kafka.topics().make("none." + traces, 3, 1);
      Program.await(() -> !third.get("/health/ready").body().contains("have not all been read"));
    }
  }

  @Test
  void aWrongPassword_isSaid_andTheRightOneCountsWithoutARestart(@TempDir Path alone)
      throws Exception {
    Path file = alone.resolve("client.properties");
    Files.writeString(file, KafkaProcess.properties("not-th3-one"));
    post(server, "a", now, 1);
    awaitLat(other, "a", 1);
    String[] settings =
        with(
            settings(),
            "sinks.kafka.bootstrap-servers=" + kafka.closedServers(),
            "sinks.kafka.client-file=" + file,
            "positions.follow-wait=1 s");
    try (RunningServer third = RunningServer.start(alone.resolve("data"), settings)) {
      Program.await(() -> third.get("/health/ready").body().contains("loop-fleet"));
      assertThat(third.get("/health/ready").body())
          .contains("the client is not let in")
          .doesNotContain("not-th3-one");
      Files.writeString(file, KafkaProcess.properties(KafkaProcess.PASSWORD));
      awaitLat(third, "a", 1);
    }
  }

  private static String line(String rider, double lat) {
    return """
    {"sequence":1,"recordId":"elsewhere:1","dedupKey":"0","stream":"traces",\
    "receivedAt":"2026-11-27T00:00:00Z","record":\
    {"riderId":"%s","at":"2026-11-27T00:00:00Z","lat":%s,"lon":127}}"""
        .formatted(rider, lat);
  }
}
