package gilmok.sinks.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Topics of a real Kafka: made, and read to their end. */
public final class KafkaTopics {
  /** Held, as the logging forgets the level with the logger. */
  private static final List<Logger> QUIET =
      List.of(quiet("org.apache.kafka"), quiet("kafka"), quiet("state.change.logger"));

  private final String servers;

  KafkaTopics(String servers) {
    this.servers = servers;
  }

  static List<Logger> quiet() {
    return QUIET;
  }

  private static Logger quiet(String name) {
    Logger logger = Logger.getLogger(name);
    logger.setLevel(Level.OFF);
    return logger;
  }

  /** Makes a topic; settings alternate keys and values. */
  public void make(String name, int partitions, int replicas, String... settings)
      throws ExecutionException, InterruptedException {
    Map<String, String> configs = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      configs.put(settings[i], settings[i + 1]);
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      NewTopic topic = new NewTopic(name, partitions, (short) replicas).configs(configs);
      admin.createTopics(List.of(topic)).all().get();
    }
  }

  /** Changes one setting of a topic. */
  void set(String topic, String key, String value) throws ExecutionException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
      while (!isSo(admin, resource, key, value)) {
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  private static boolean isSo(Admin admin, ConfigResource resource, String key, String value)
      throws ExecutionException, InterruptedException {
    return admin.describeConfigs(List.of(resource)).all().get().values().stream()
        .allMatch(config -> value.equals(config.get(key).value()));
  }

  /** All records of a topic, each partition's in its order. */
  public List<ConsumerRecord<String, String>> read(String topic) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, consumer.partitionsFor(topic).size())
              .mapToObj(partition -> new TopicPartition(topic, partition))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<String, String>> records = new ArrayList<>();
      while (partitions.stream()
          .anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
      return records;
    }
  }

  /** A record to write. */
  public record Written(
      String topic,
      @Nullable Integer partition,
      @Nullable Long at,
      String key,
      @Nullable String value,
      @Nullable String id) {
    /** A record with an id, sent now. */
    public Written(String topic, String key, String value, String id) {
      this(topic, null, null, key, value, id);
    }

    ProducerRecord<String, String> record() {
      List<Header> headers = new ArrayList<>();
      if (id != null) {
        headers.add(new RecordHeader("gilmok-id", id.getBytes(StandardCharsets.UTF_8)));
      }
      return new ProducerRecord<>(topic, partition, at, key, value, headers);
    }
  }

  /** Writes records, as whoever else may write there. */
  public void write(Written... records) throws ExecutionException, InterruptedException {
    try (Producer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "max.request.size", 16 << 20),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (Written record : records) {
        sent.add(producer.send(record.record()));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    }
  }

  /** Deletes a topic. */
  public void delete(String topic) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }

  /** Whether there is such a topic. */
  public boolean isThere(String topic) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      return admin.listTopics().names().get().contains(topic);
    }
  }

  /** A partition that a broker leads. */
  int partitionAt(String topic, int broker) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      return admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
          .flatMap(one -> one.partitions().stream())
          .filter(one -> one.leader().id() == broker)
          .findFirst()
          .orElseThrow()
          .partition();
    }
  }

  /** Has a topic have so many partitions. */
  public void grow(String topic, int partitions) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all().get();
    }
  }

  /** Deletes the first records of a partition. */
  void deleteBefore(String topic, int partition, long offset)
      throws ExecutionException, InterruptedException {
    TopicPartition place = new TopicPartition(topic, partition);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.deleteRecords(Map.of(place, RecordsToDelete.beforeOffset(offset))).all().get();
    }
  }

  /** A record's header as a text. */
  public static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
