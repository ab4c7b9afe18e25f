package gilmok.sinks.kafka;

import static gilmok.sinks.kafka.KafkaBatches.NODE;
import static gilmok.sinks.kafka.KafkaBatches.NOW;
import static gilmok.sinks.kafka.KafkaBatches.positions;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.event.JsonBuffer;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sink with three real brokers. Each test has topics of its own. */
@Tag("engine")
@Timeout(180)
final class KafkaSinkIT {
  private static final String[] MAKES = {"create-topics", "true"};
  private static final String[] TRACES = {"streams", "traces"};

  private static KafkaKit kafka;

  @BeforeAll
  static void start() throws Exception {
    kafka = KafkaKit.shared();
  }

  private static KafkaRig rig(String[]... settings) {
    List<String> all = new ArrayList<>();
    for (String[] some : settings) {
      all.addAll(List.of(some));
    }
    return new KafkaRig(kafka.servers(), kafka.topics(), all.toArray(String[]::new));
  }

  @Test
  void send_everyStream_isInItsTopicWithKeyHeadersAndLine() throws Exception {
    try (KafkaRig rig = rig(MAKES)) {
      Batch batch =
          new KafkaBatches(7)
              .position("김", NOW)
              .action("two", "길")
              .delivery("d-1:x", 3)
              .position("김", NOW + 1)
              .batch();
      assertThat(rig.ship(batch)).isEqualTo(4);
      Verdict.Done done = (Verdict.Done) rig.verdicts.getLast();
      assertThat(done.acknowledged().of(Stream.TRACES)).isEqualTo(2);
      assertThat(done.place())
          .matches(
              "%s\\S+ \\d@\\d-\\d %1$s\\S+ \\d@\\d-\\d %1$straces \\d@0-1".formatted(rig.prefix));

      List<ConsumerRecord<String, String>> traces = rig.read(Stream.TRACES);
      assertThat(traces).extracting(ConsumerRecord::key).containsExactly("김", "김");
      assertThat(traces.getFirst().value()).isEqualTo(line(batch, 0));
      assertThat(KafkaTopics.header(traces.getFirst(), "gilmok-id")).isEqualTo(NODE + ":7");
      assertThat(line(batch, 0))
          .contains(
              "\"dedupKey\":\"" + KafkaTopics.header(traces.getFirst(), "gilmok-dedup-key") + '"');
      assertThat(rig.read(Stream.ACTIONS).getFirst().key()).isEqualTo("two");
      assertThat(rig.read(Stream.DELIVERIES).getFirst().key()).isEqualTo("d-1:x");
    }
  }

  private static String line(Batch batch, int i) {
    JsonBuffer out = new JsonBuffer();
    new ShippedLine().write(batch, i, out);
    return out.toString();
  }

  @Test
  void send_everyCompression_isRead() throws Exception {
    for (KafkaConfig.Compression compression : KafkaConfig.Compression.values()) {
      try (KafkaRig rig = rig(MAKES, TRACES, new String[] {"compression", compression.word()})) {
        assertThat(rig.ship(positions(1, 500))).as(compression.word()).isEqualTo(500);
        assertThat(rig.read(Stream.TRACES)).hasSize(500);
      }
    }
  }

  @Test
  void send_damagedAndTooLarge_areRejected_andTheRestArrives() throws Exception {
    try (KafkaRig rig = rig(MAKES)) {
      Batch batch =
          new KafkaBatches(1)
              .position("one", NOW)
              .damaged()
              .huge((1 << 20) + 1)
              .position("one", NOW + 1)
              .batch();
      Verdict.RejectThese large = rejected(rig, batch);
      assertThat(large.rejected().stream()).containsExactly(2);
      assertThat(large.reason()).contains("max.request.size");
      Verdict.RetryThese rest = (Verdict.RetryThese) large.rest();
      assertThat(rest.again().stream()).containsExactly(1);
      Verdict.RejectThese damaged = rejected(rig, batch.only(rest.again()));
      assertThat(damaged.reason()).isEqualTo(KafkaEncoder.DAMAGED);
      assertThat(damaged.rest()).isInstanceOf(Verdict.Done.class);
      assertThat(rig.idsByKey(Stream.TRACES))
          .isEqualTo(Map.of("one", List.of(NODE + ":1", NODE + ":4")));
      assertThat(rig.shown("gilmok_kafka_producers_opened_total")).isEqualTo(1);
    }
  }

  private static Verdict.RejectThese rejected(KafkaRig rig, Batch batch) throws Exception {
    Verdict verdict = rig.answer(batch);
    assertThat(verdict).isInstanceOf(Verdict.RejectThese.class);
    return (Verdict.RejectThese) verdict;
  }

  @Test
  void send_largerThanTheTopicTakesByNow_isRejectedByTheBroker() throws Exception {
    try (KafkaRig rig = rig(MAKES, TRACES, new String[] {"compression", "none"})) {
      assertThat(rig.ship(positions(1, 10))).isEqualTo(10);
      kafka.topics().set(rig.prefix + "traces", "max.message.bytes", "250");
      Verdict verdict = rig.sink.send(positions(11, 1));
      assertThat(verdict).isInstanceOf(Verdict.RejectThese.class);
      assertThat(((Verdict.RejectThese) verdict).rejected().stream()).containsExactly(0);
    }
  }

  @Test
  void topics_thatWouldLoseRecords_areNamedWithWhatToDo() throws Exception {
    try (KafkaRig rig = rig(TRACES)) {
      String topic = rig.prefix + "traces";
      assertThat(rig.sink.probe())
          .isEqualTo("no topic " + topic + ": make it, or set sinks.kafka.create-topics=true");
      kafka.topics().make(topic, 2, 3, "min.insync.replicas", "1");
      assertThat(faultOf(rig))
          .startsWith("topic " + topic + ": has min.insync.replicas=1")
          .contains("set it to 2", "sinks.kafka.unsafe-min-insync-replicas=true");
      kafka.topics().set(topic, "min.insync.replicas", "2");
      kafka.topics().set(topic, "max.message.bytes", "1000");
      assertThat(faultOf(rig)).contains("takes records of 1000 bytes", "max.request.size");
      kafka.topics().set(topic, "max.message.bytes", "1048588");
      kafka.topics().set(topic, "cleanup.policy", "compact");
      assertThat(faultOf(rig)).contains("is compacted, so that it would lose records");
      kafka.topics().set(topic, "cleanup.policy", "delete");
      assertThat(rig.sink.probe()).isNull();
      assertThat(rig.ship(positions(1, 10))).isEqualTo(10);
    }
    try (KafkaRig rig = rig(TRACES, new String[] {"partitions", "5"})) {
      kafka.topics().make(rig.prefix + "traces", 2, 3, "min.insync.replicas", "2");
      assertThat(faultOf(rig)).contains("has 2 partitions, and sinks.kafka.partitions says 5");
    }
    try (KafkaRig rig = rig(TRACES)) {
      kafka.topics().make(rig.prefix + "traces", 1, 1, "min.insync.replicas", "2");
      assertThat(faultOf(rig)).contains("has 1 replicas, fewer than its min.insync.replicas=2");
    }
  }

  private static String faultOf(KafkaRig rig) throws InterruptedException {
    Verdict verdict = rig.sink.send(positions(1, 1));
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Retry.class, retry -> assertThat(retry.cause()).isEqualTo(Cause.DENIED));
    return ((Verdict.Retry) verdict).detail();
  }

  @Test
  void topics_ofOneReplica_areTakenWhereTheSettingSaysSo() throws Exception {
    String[] unsafe = {
      "unsafe-min-insync-replicas", "true", "min-insync-replicas", "1", "replicas", "1"
    };
    try (KafkaRig rig = rig(MAKES, TRACES, unsafe)) {
      assertThat(rig.ship(positions(1, 10))).isEqualTo(10);
    }
  }

  @Test
  void rightTakenAway_isDenied_andNothingIsOvertaken() throws Exception {
    try (KafkaRig rig = rig(MAKES, TRACES)) {
      rig.ship(positions(1, 100));
      AclBinding deny =
          new AclBinding(
              new ResourcePattern(ResourceType.TOPIC, rig.prefix + "traces", PatternType.LITERAL),
              new AccessControlEntry(
                  "User:ANONYMOUS", "*", AclOperation.WRITE, AclPermissionType.DENY));
      AclBinding allow =
          new AclBinding(
              deny.pattern(),
              new AccessControlEntry(
                  "User:ANONYMOUS", "*", AclOperation.ALL, AclPermissionType.ALLOW));
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.servers()))) {
        admin.createAcls(List.of(deny, allow)).all().get();
        Verdict verdict = awaitDenied(rig);
        assertThat(verdict.toString()).contains("no right for the topic " + rig.prefix + "traces");
        admin.deleteAcls(List.of(deny.toFilter(), allow.toFilter())).all().get();
      }
      rig.ship(positions(101, 100));
      assertInOrder(rig, 200);
    }
  }

  /** Until the brokers know of it. */
  private static Verdict awaitDenied(KafkaRig rig) throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      Verdict verdict = rig.sink.send(positions(101, 100));
      if (verdict instanceof Verdict.Retry(Cause cause, _) && cause == Cause.DENIED) {
        return verdict;
      }
      LockSupport.parkNanos(50_000_000);
    }
    throw new AssertionError("never denied");
  }

  @Test
  void brokersStopAndReturn_riderOrderIsThatOfFirstArrivals_andNothingIsLost() throws Exception {
    try (KafkaRig rig = rig(MAKES, TRACES, new String[] {"send-timeout", "2 s"})) {
      rig.ship(positions(1, 500));
      kafka.stop(0);
      kafka.stop(1);
      // Too few are in sync now.
      Verdict verdict = rig.sink.send(positions(501, 500));
      kafka.start(0, 1);
      assertThat(verdict).isInstanceOfAny(Verdict.Retry.class, Verdict.RetryThese.class);
      for (int i = 1; i < 10; i++) {
        rig.ship(positions(1 + 500 * i, 500));
      }
      assertInOrder(rig, 5000);
      assertThat(rig.shown("gilmok_kafka_producers_opened_total")).isGreaterThan(1);
    }
  }

  /**
   * Each rider has every record; their first arrivals are in order, and repeats have equal keys.
   */
  private static void assertInOrder(KafkaRig rig, int last) {
    Map<String, List<String>> ids = rig.idsByKey(Stream.TRACES);
    for (int rider = 0; rider < 10; rider++) {
      int of = rider;
      List<String> expected =
          LongStream.rangeClosed(1, last)
              .filter(sequence -> sequence % 10 == of)
              .mapToObj(sequence -> NODE + ":" + sequence)
              .toList();
      assertThat(ids.getOrDefault("rider-" + rider, List.of()).stream().distinct().toList())
          .isEqualTo(expected);
    }
    Map<String, String> keys = new HashMap<>();
    for (ConsumerRecord<String, String> record : rig.read(Stream.TRACES)) {
      String key = KafkaTopics.header(record, KafkaEncoder.DEDUP_KEY);
      assertThat(keys.merge(KafkaTopics.header(record, KafkaEncoder.ID), key, (a, _) -> a))
          .isEqualTo(key);
    }
  }

  @Test
  void latest_hasEachRidersNewest_atMostOneASecond() throws Exception {
    String[] latest = {"latest-topic", "newest-" + System.nanoTime()};
    try (KafkaRig rig = rig(MAKES, TRACES, latest)) {
      rig.ship(positions(1, 1000));
      rig.ship(new KafkaBatches(1001).position("rider-1", NOW - 2_000_000).batch());
      rig.ship(new KafkaBatches(1002).position("ahead", NOW + 3_600_000).batch());
      awaitShown(rig, "gilmok_kafka_latest_pending", 0);
      rig.ship(positions(1003, 100));
    } // sends the rest
    List<ConsumerRecord<String, String>> all = kafka.topics().read(latest[1]);
    assertThat(all).hasSizeBetween(20, 40);
    Map<String, String> newest = new HashMap<>();
    all.forEach(one -> newest.put(one.key(), KafkaTopics.header(one, KafkaEncoder.ID)));
    Map<String, String> expected = new HashMap<>();
    for (int i = 1093; i < 1103; i++) {
      expected.put("rider-" + i % 10, NODE + ":" + i);
    }
    assertThat(newest).isEqualTo(expected);
  }

  private static void awaitShown(KafkaRig rig, String name, double value) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (rig.shown(name) != value) {
      assertThat(System.nanoTime()).as(name).isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void nobodyListens_isUnreachable_andASentenceTellsIt() throws Exception {
    try (KafkaRig rig = new KafkaRig("127.0.0.1:1", kafka.topics(), "send-timeout", "1 s")) {
      Verdict verdict = rig.sink.send(positions(1, 10));
      assertThat(verdict).isInstanceOf(Verdict.Retry.class);
      assertThat(((Verdict.Retry) verdict).cause()).isEqualTo(Cause.UNREACHABLE);
      assertThat(((Verdict.Retry) verdict).detail()).startsWith("127.0.0.1:1: no broker answers");
    }
  }

  @Test
  void metrics_areOnThePage() throws Exception {
    try (KafkaRig rig = rig(MAKES, TRACES, new String[] {"latest-topic", "any"})) {
      String page = Files.readString(Repository.root().resolve("docs/metrics.md"));
      String text = new String(rig.meters.scrape(), StandardCharsets.UTF_8);
      assertThat(text.lines().filter(line -> line.startsWith("# TYPE gilmok_kafka")))
          .hasSizeGreaterThan(5)
          .allSatisfy(line -> assertThat(page).contains("`" + line.split(" ")[2] + "`"));
    }
  }
}
