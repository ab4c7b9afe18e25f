package gilmok.sinks.kafka;

import static gilmok.sinks.kafka.KafkaBatches.NODE;
import static gilmok.sinks.kafka.KafkaBatches.positions;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sink with a broker in a process of its own, which is killed, and asks for a password. */
@Tag("engine")
@Timeout(300)
final class KafkaTroubleIT {
  private static final List<String> ONE_REPLICA =
      List.of(
          "create-topics", "true",
          "streams", "traces",
          "partitions", "3",
          "unsafe-min-insync-replicas", "true",
          "min-insync-replicas", "1");

  private static KafkaProcess broker;
  @TempDir Path folder;

  @BeforeAll
  static void start(@TempDir Path shared) throws Exception {
    broker = KafkaProcess.start(shared);
  }

  @AfterAll
  static void stop() throws Exception {
    if (broker != null) {
      broker.close();
    }
  }

  private static KafkaRig rig(String servers, String... more) {
    return new KafkaRig(
        servers,
        broker.topics(),
        java.util.stream.Stream.concat(ONE_REPLICA.stream(), List.of(more).stream())
            .toArray(String[]::new));
  }

  @Test
  void killedInTheMiddle_everythingAcknowledgedIsThere_inOrder() throws Exception {
    try (KafkaRig rig = rig(broker.servers(), "send-timeout", "2 s")) {
      rig.ship(positions(1, 500));
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread shipping =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 1; i < 100; i++) {
                        assertThat(rig.ship(positions(1 + 500 * i, 500))).isEqualTo(500);
                      }
                    } catch (InterruptedException | AssertionError failed) {
                      thrown.set(failed);
                    }
                  });
      while (rig.verdicts.size() < 20 && shipping.isAlive()) {
        Thread.onSpinWait();
      }
      broker.kill();
      broker.restart();
      shipping.join();
      assertThat(thrown.get()).isNull();
      assertThat(rig.verdicts).anyMatch(verdict -> verdict instanceof Verdict.Retry);
      Map<String, String> keys = new HashMap<>();
      for (ConsumerRecord<String, String> record : rig.read(Stream.TRACES)) {
        String key = KafkaTopics.header(record, KafkaEncoder.DEDUP_KEY);
        assertThat(keys.merge(KafkaTopics.header(record, KafkaEncoder.ID), key, (a, _) -> a))
            .isEqualTo(key);
      }
      assertThat(keys).hasSize(50_000);
      Map<String, List<String>> ids = rig.idsByKey(Stream.TRACES);
      for (int rider = 0; rider < 10; rider++) {
        int of = rider;
        assertThat(ids.getOrDefault("rider-" + rider, List.of()).stream().distinct())
            .containsExactlyElementsOf(
                LongStream.rangeClosed(1, 50_000)
                    .filter(sequence -> sequence % 10 == of)
                    .mapToObj(sequence -> NODE + ":" + sequence)
                    .toList());
      }
    }
  }

  @Test
  void diskThatFails_stopsTheBroker_isSaid_andNothingIsLostWhenThereIsRoom() throws Exception {
    broker.kill();
    broker.restartWithFilesOfAtMost(16);
    try (KafkaRig rig =
        rig(broker.servers(), "send-timeout", "2 s", "compression", "none", "partitions", "1")) {
      long sent = 0;
      while (broker.isRunning()) { // when its only folder has failed, it ends itself
        assertThat(sent).as("so much is in a file of 16 MiB").isLessThan(200_000);
        // On a busy machine a batch may take too long all the same; it is sent again then.
        boolean isKept = rig.sink.send(positions(1 + sent, 2000)) instanceof Verdict.Done;
        sent += isKept ? 2000 : 0;
      }
      assertThat(sent).isPositive();
      Verdict verdict = rig.sink.send(positions(1 + sent, 2000));
      while (((Verdict.Retry) verdict).cause() != Cause.UNREACHABLE) {
        verdict = rig.sink.send(positions(1 + sent, 2000)); // by a client that is opened anew
      }
      assertThat(((Verdict.Retry) verdict).detail()).contains("no broker answers");

      broker.kill();
      broker.restart();
      assertThat(rig.ship(positions(1 + sent, 2000))).isEqualTo(2000);
      assertThat(
              rig.read(Stream.TRACES).stream()
                  .map(record -> KafkaTopics.header(record, KafkaEncoder.ID))
                  .distinct())
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, sent + 2000)
                  .mapToObj(sequence -> NODE + ":" + sequence)
                  .toList());
    }
  }

  @Test
  void password_wrongOne_isDeniedAndNeverTold_andTheRightOneCountsAtOnce() throws Exception {
    Path file = folder.resolve("client.properties");
    Files.writeString(file, KafkaProcess.properties("not-th3-one"));
    try (KafkaRig rig = rig(broker.closedServers(), "client-file", file.toString())) {
      Verdict verdict = rig.sink.send(positions(1, 10));
      assertThat(verdict).isInstanceOf(Verdict.Retry.class);
      assertThat(((Verdict.Retry) verdict).cause()).isEqualTo(Cause.DENIED);
      assertThat(((Verdict.Retry) verdict).detail())
          .startsWith(broker.closedServers() + ": the client is not let in")
          .doesNotContain("not-th3-one");
      Files.writeString(file, KafkaProcess.properties("not-th3-one\"; oops"));
      verdict = rig.sink.send(positions(1, 10));
      assertThat(verdict.toString()).contains("DENIED").doesNotContain("not-th3-one");

      Files.writeString(file, KafkaProcess.properties(KafkaProcess.PASSWORD));
      assertThat(rig.ship(positions(1, 10))).isEqualTo(10);
      assertThat(rig.read(Stream.TRACES)).hasSize(10);
    }
  }
}
