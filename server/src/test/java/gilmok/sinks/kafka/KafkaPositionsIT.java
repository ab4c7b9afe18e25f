package gilmok.sinks.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.Settings;
import gilmok.sinks.kafka.KafkaTopics.Written;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading positions from three real brokers. Each test has topics of its own. */
@Tag("engine")
@Timeout(180)
final class KafkaPositionsIT {
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static KafkaKit kafka;

  private final String prefix = "p" + System.nanoTime() + ".";
  private final String traces = prefix + "traces";
  private final String latest = prefix + "latest";
  private final List<String> lines = new ArrayList<>();
  private final List<String> places = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private int begun;
  private KafkaPositions positions = positions();
  private KafkaPositions.Reading reading = new KafkaPositions.Reading(false, false, 0, null);

  private final KafkaPositions.Taker taker =
      new KafkaPositions.Taker() {
        @Override
        public void begun() {
          begun++;
        }

        @Override
        public boolean isKnown(byte[] id) {
          return new String(id, StandardCharsets.UTF_8).startsWith("own:");
        }

        @Override
        public void line(byte[] line, KafkaPositions.Place place) {
          lines.add(new String(line, StandardCharsets.UTF_8));
          places.add(place.toString());
        }
      };

  @BeforeAll
  static void start() throws Exception {
    kafka = KafkaKit.shared();
  }

  @AfterEach
  void close() {
    positions.close();
  }

  private void open(String... keysAndValues) {
    positions = positions(keysAndValues);
  }

  private KafkaPositions positions(String... keysAndValues) {
    Settings settings = new Settings(settings(keysAndValues));
    KafkaConfig config = KafkaConfig.from(settings, "kafka");
    settings.finish();
    return new KafkaPositions(config, InstantSource.system());
  }

  private Map<String, String> settings(String... keysAndValues) {
    Map<String, String> settings = new HashMap<>();
    settings.put("sinks.kafka.bootstrap-servers", kafka.servers());
    settings.put("sinks.kafka.topic-prefix", prefix);
    settings.put("sinks.kafka.latest-topic", latest);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.put("sinks.kafka." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return settings;
  }

  private void makeTopics(int partitions) throws Exception {
    kafka.topics().make(traces, partitions, 3);
    kafka.topics().make(latest, 2, 3, "cleanup.policy", "compact");
  }

  private static void write(Written... records) throws Exception {
    kafka.topics().write(records);
  }

  private void readUntil(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(lines + " " + faults + " " + reading).isLessThan(end);
      try {
        reading = positions.read(taker, SHORT);
      } catch (IOException fault) {
        faults.add(fault.getMessage());
      }
    }
  }

  private boolean isAtEnd() {
    return reading.isAtEnd();
  }

  @Test
  void begin_hasTheNewestOfAll_andWhatMayNotBeAmongThemYet_thenWhatComes() throws Exception {
    makeTopics(3);
    long now = System.currentTimeMillis();
    write(
        new Written(traces, 0, now - 3_600_000, "a", "long ago", "other:1"),
        new Written(traces, 0, now - 3_500_000, "a", "before the newest", "other:2"),
        new Written(traces, 1, now - 10_000, "b", "not among the newest yet", "other:3"),
        new Written(traces, 1, now - 9_000, "c", "own trace", "own:4"),
        new Written(latest, null, now - 3_600_000, "a", "newest of a", "other:2"),
        new Written(latest, null, now - 3_600_000, "c", "own newest", "own:3"),
        new Written(latest, null, now, "gone", null, null));
    readUntil(this::isAtEnd);
    assertThat(lines)
        .containsExactlyInAnyOrder("newest of a", "not among the newest yet", "own newest");
    assertThat(places).contains("the record " + traces + " 1@0 in Kafka");
    assertThat(reading.isWhole()).isTrue();
    readUntil(() -> reading.behindMillis() == 0);
    write(
        new Written(latest, "d", "the newest are not read any more", "other:5"),
        new Written(traces, "d", "what comes", "other:5"),
        new Written(traces, null, null, "e", null, null),
        new Written(traces, null, null, "e", "without an id", null));
    readUntil(() -> lines.size() >= 6);
    assertThat(lines).endsWith("without an id").contains("what comes", "");
    assertThat(lines).doesNotContain("the newest are not read any more");
    assertThat(begun).isEqualTo(1);
    assertThat(faults).isEmpty();
  }

  /** The last offset of each partition is that of a transaction's mark, which nobody can read. */
  @Test
  void begin_topicsThatEndWithoutARecord_areWholeNevertheless() throws Exception {
    makeTopics(1);
    try (Producer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.servers(), "transactional.id", prefix),
            new StringSerializer(),
            new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      var _ = producer.send(new Written(latest, "a", "newest", "other:1").record());
      var _ = producer.send(new Written(traces, "a", "trace", "other:1").record());
      producer.commitTransaction();
    }
    readUntil(this::isAtEnd);
    assertThat(lines).containsExactlyInAnyOrder("newest", "trace");
  }

  @Test
  void emptyTopics_areWhole() throws Exception {
    makeTopics(3);
    readUntil(this::isAtEnd);
    assertThat(begun).isEqualTo(1);
    assertThat(lines).isEmpty();
  }

  @Test
  void moreThanOneReading_isReadInBounds_andToTheEnd() throws Exception {
    makeTopics(3);
    Written[] many = new Written[5000];
    for (int i = 0; i < many.length; i++) {
      many[i] = new Written(latest, "r" + i, "newest " + i, "other:" + i);
    }
    write(many);
    int[] before = {0};
    readUntil(
        () -> {
          assertThat(lines.size() - before[0]).isLessThanOrEqualTo(1000);
          before[0] = lines.size();
          return isAtEnd();
        });
    assertThat(lines).hasSize(5000);
  }

  @Test
  void retentionThatWasFaster_hasAllReadAnew() throws Exception {
    makeTopics(1);
    readUntil(this::isAtEnd);
    // One after the other, as what a broker has answered by then is read.
    write(new Written(traces, "a", "kept or not", "other:1"));
    write(new Written(traces, "a", "not kept", "other:2"));
    write(
        new Written(traces, "a", "kept", "other:3"), new Written(latest, "b", "newest", "other:2"));
    kafka.topics().deleteBefore(traces, 0, 2);
    readUntil(() -> begun == 2 && isAtEnd());
    assertThat(lines).contains("newest", "kept").doesNotContain("not kept");
    assertThat(faults).singleElement().asString().contains("all riders are read again");
  }

  /** The new topic has more records than were read of the other, so no offset tells of it. */
  @Test
  void aTopicMadeAnew_isReadFromItsBegin() throws Exception {
    makeTopics(1);
    write(new Written(traces, "a", "first", "other:1"));
    readUntil(this::isAtEnd);
    kafka.topics().delete(traces);
    readUntil(() -> !faults.isEmpty() && faults.getLast().contains("create-topics"));
    assertThat(faults).allSatisfy(fault -> assertThat(fault).contains("no topic " + traces));
    kafka.topics().make(traces, 1, 3);
    for (int i = 0; i < 3; i++) {
      write(new Written(traces, "a", "anew " + i, "other:" + i));
    }
    readUntil(() -> begun == 2 && isAtEnd());
    assertThat(lines).containsExactly("first", "anew 0", "anew 1", "anew 2");
  }

  @Test
  void aTopicMadeAnew_whileNobodyLooked_isReadFromItsBegin() throws Exception {
    makeTopics(1);
    write(new Written(traces, "a", "first", "other:1"));
    readUntil(this::isAtEnd);
    kafka.topics().delete(traces);
    KafkaTopics topics = kafka.topics();
    while (topics.isThere(traces)) {
      Thread.onSpinWait();
    }
    topics.make(traces, 1, 3);
    for (int i = 0; i < 3; i++) {
      write(new Written(traces, "a", "anew " + i, "other:" + i));
    }
    readUntil(() -> begun == 2 && isAtEnd());
    assertThat(lines).contains("first", "anew 0", "anew 1", "anew 2");
  }

  @Test
  void partitionsThatAreAdded_areReadFromTheirBegin() throws Exception {
    makeTopics(1);
    readUntil(this::isAtEnd);
    kafka.topics().grow(traces, 3);
    write(
        new Written(traces, 2, null, "a", "in a new one", "other:1"),
        new Written(traces, 0, null, "b", "in the old one", "other:2"));
    readUntil(() -> lines.size() == 2);
    assertThat(lines).contains("in a new one");
    assertThat(begun).isEqualTo(1);
    assertThat(faults).isEmpty();
  }

  @Test
  void topicsThatAreNotThere_areAwaited_orMadeWhereTheSinkMakesThem() throws Exception {
    open("streams", "traces");
    readUntil(() -> !faults.isEmpty());
    assertThat(faults.getFirst())
        .contains("no topic " + traces + ", " + latest)
        .contains("make it, or set sinks.kafka.create-topics=true");
    kafka.topics().make(traces, 1, 3);
    readUntil(() -> faults.getLast().contains("no topic " + latest));
    positions.close();
    open("streams", "traces", "create-topics", "true");
    readUntil(this::isAtEnd);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.servers()))) {
      ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, latest);
      assertThat(admin.describeConfigs(List.of(topic)).all().get().values())
          .singleElement()
          .asString()
          .contains("name=cleanup.policy, value=compact", "name=segment.bytes, value=67108864");
    }
  }

  @Test
  void withoutTheRightToRead_itIsSaid_andItGoesOnWhenItIsGiven() throws Exception {
    makeTopics(1);
    AclBinding denied =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, traces, PatternType.LITERAL),
            new AccessControlEntry(
                "User:ANONYMOUS", "*", AclOperation.READ, AclPermissionType.DENY));
    AclBinding allowed =
        new AclBinding(
            denied.pattern(),
            new AccessControlEntry(
                "User:ANONYMOUS", "*", AclOperation.ALL, AclPermissionType.ALLOW));
    readUntil(this::isAtEnd);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.servers()))) {
      admin.createAcls(List.of(denied, allowed)).all().get();
      write(new Written(traces, "a", "not for us", "other:1"));
      readUntil(() -> !faults.isEmpty());
      assertThat(faults.getFirst())
          .contains("no right for the topic " + traces + ": Read and Describe are needed");
      admin.deleteAcls(List.of(denied.toFilter(), allowed.toFilter())).all().get();
    }
    readUntil(() -> lines.contains("not for us"));
    assertThat(begun).as("it went on").isEqualTo(1);
  }

  /** With one replica, a broker that is away takes a partition with it; the rest goes on. */
  @Test
  void aPartitionWithoutABroker_isSaid_theRestGoesOn_andSoDoesItLater() throws Exception {
    kafka.topics().make(traces, 3, 1);
    kafka.topics().make(latest, 1, 3, "cleanup.policy", "compact");
    readUntil(this::isAtEnd);
    int partition = kafka.topics().partitionAt(traces, 1);
    int other = (partition + 1) % 3;
    kafka.stop(1);
    try {
      readUntil(() -> reading.fault() != null);
      write(new Written(traces, other, null, "a", "of the rest", "other:1"));
      readUntil(() -> lines.contains("of the rest"));
      readUntil(() -> reading.behindMillis() > 0);
      assertThat(reading.isWhole()).isTrue();
    } finally {
      kafka.start(1);
    }
    write(new Written(traces, partition, null, "b", "of that one", "other:2"));
    readUntil(() -> lines.contains("of that one"));
    readUntil(() -> reading.fault() == null && reading.behindMillis() == 0);
    assertThat(begun).isEqualTo(1);
  }

  @Test
  void anInterrupt_endsAReading_andTheNextOneGoesOn() throws Exception {
    makeTopics(1);
    readUntil(this::isAtEnd);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread loop =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    positions.read(taker, Duration.ofMinutes(10));
                    thrown.completeExceptionally(new AssertionError("it has read something"));
                  } catch (InterruptedException | IOException | RuntimeException any) {
                    thrown.complete(any);
                  }
                });
    while (loop.getState() != Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    loop.interrupt();
    assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    write(new Written(traces, "a", "later", "other:1"));
    readUntil(() -> lines.contains("later"));
    assertThat(begun).isEqualTo(1);
  }

  @Test
  void close_endsAReadingOfAnotherThread() throws Exception {
    makeTopics(1);
    readUntil(this::isAtEnd);
    CompletableFuture<Void> loop =
        CompletableFuture.runAsync(
            () -> {
              try {
                positions.read(taker, Duration.ofMinutes(10));
              } catch (InterruptedException | IOException ended) {
                throw new CompletionException(ended);
              }
            });
    positions.close();
    assertThatThrownBy(() -> loop.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(Exception.class);
  }
}
