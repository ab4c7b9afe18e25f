package gilmok.sinks.kafka;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Opens Kafka's clients with the sink's settings and those of the client's own file, which is read
 * anew each time: a changed password counts with the next connection. Immutable.
 *
 * @param properties the client's own
 */
record KafkaClient(KafkaConfig config, ClientFile properties) {
  static final long REQUEST_BYTES_MAX = 1 << 20;

  /** Of a partition: more than this is sent at once. */
  private static final int BATCH_BYTES = 128 << 10;

  /** Long enough for a batch of ours to be handed over, as then each partition has one request. */
  private static final int LINGER_MILLIS = 2;

  private static final long REQUEST_MILLIS_MAX = 5000;

  /** A broker that has nothing new answers after this time, and is asked again. */
  private static final int FETCH_WAIT_MILLIS = 2000;

  /** Of one answer of a broker, as it is compressed; a larger batch comes alone. */
  private static final int FETCH_BYTES_MAX = 4 << 20;

  private static final int PARTITION_FETCH_BYTES_MAX = 1 << 20;

  /** The most records that are handed on at once. */
  private static final int POLL_RECORDS_MAX = 1000;

  /** Held here, as the logging would forget the level with the logger. */
  private static final Logger CLIENT_LOG = Logger.getLogger("org.apache.kafka");

  /**
   * With the file as it is now.
   *
   * @throws IOException when the file cannot be used; the message says why
   */
  static KafkaClient of(KafkaConfig config) throws IOException {
    ClientFile file =
        config.clientFile() == null ? ClientFile.NONE : ClientFile.read(config.clientFile());
    return new KafkaClient(config, file);
  }

  /** What cannot be shown in a message. */
  List<String> secrets() {
    return properties.secrets();
  }

  /** The most bytes that the client sends at once, before compression. */
  long requestBytesMax() {
    return properties.number(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES_MAX);
  }

  /** Opens a producer; nothing is sent yet. */
  Producer<byte[], byte[]> producer(String clientId) {
    Map<String, Object> all = common(clientId);
    long timeout = config.sendTimeout().toMillis();
    all.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    all.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, config.compression().word());
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) timeout);
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, requestMillis());
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Opens a consumer without a group: it commits nothing, and reads what it is told to. It makes no
   * topic, and of a record that is no longer there it says so in place of going on elsewhere.
   */
  Consumer<byte[], byte[]> consumer(String clientId) {
    Map<String, Object> all = common(clientId);
    all.remove(ConsumerConfig.GROUP_ID_CONFIG);
    all.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    all.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS_MAX);
    all.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
    all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
    all.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES_MAX);
    all.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_FETCH_BYTES_MAX);
    all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) REQUEST_MILLIS_MAX);
    all.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) REQUEST_MILLIS_MAX);
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Opens a client that looks at topics. */
  Admin admin(String clientId) {
    Map<String, Object> all = common(clientId);
    all.keySet().retainAll(AdminClientConfig.configNames());
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) requestMillis());
    return Admin.create(all);
  }

  /** How long one request may take: a third of the whole, so that a failed one is repeated. */
  long requestMillis() {
    return Math.min(REQUEST_MILLIS_MAX, Math.max(300, config.sendTimeout().toMillis() / 3));
  }

  private Map<String, Object> common(String clientId) {
    // The client logs each attempt to connect; the sink reports its faults itself.
    CLIENT_LOG.setLevel(Level.OFF);
    Map<String, Object> all = new HashMap<>(properties.properties());
    all.putIfAbsent(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
    all.putIfAbsent(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, List.of());
    all.putIfAbsent(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    all.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, (int) requestMillis());
    return all;
  }
}
