package gilmok.sinks.kafka;

import gilmok.log.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;

/**
 * The topic of a sink's traces, as {@code gilmok accept} looks at it from the other side: read from
 * where it ended, stamped by its brokers, removed. Each failure is an {@link IOException} whose
 * message says what is wrong, without secrets. Blocks; used by one thread.
 */
public final class TrialTopic implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);

  private final KafkaClient client;
  private final TopicAdmin admin;
  private final String topic;
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  /**
   * A record of the topic.
   *
   * @param id the header {@code gilmok-id}; empty when it has none
   * @param atMillis the record's time in Kafka, epoch ms
   */
  public record Line(String key, String id, long atMillis) {}

  /** A question to Kafka. */
  private interface Question<T> {
    T ask() throws ExecutionException, InterruptedException;
  }

  /**
   * The topic of these settings; asks nothing yet.
   *
   * @throws IOException when the client's own file cannot be used, or the client not be opened
   */
  public TrialTopic(KafkaConfig config) throws IOException {
    client = KafkaClient.of(config);
    topic = config.topic(Stream.TRACES);
    try {
      admin = new TopicAdmin(client, "gilmok-accept");
    } catch (KafkaException cannot) {
      throw failed("Describe", cannot);
    }
  }

  /** Whether the client's own file asks for TLS. */
  public boolean isSecure() {
    return client
        .properties()
        .properties()
        .getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "")
        .contains("SSL");
  }

  /** How many brokers there are. */
  public int brokers() throws IOException, InterruptedException {
    return asked("Describe", () -> admin.got(admin.admin().describeCluster().nodes()).size());
  }

  /** Has the brokers stamp records with their own time. */
  public void stampByBrokers() throws IOException, InterruptedException {
    AlterConfigOp stamp =
        new AlterConfigOp(
            new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"),
            AlterConfigOp.OpType.SET);
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<ConfigResource, Collection<AlterConfigOp>> change = Map.of(resource, List.of(stamp));
    asked("AlterConfigs", () -> admin.got(admin.admin().incrementalAlterConfigs(change).all()));
  }

  /** Notes where the topic ends: {@link #read} begins there. */
  public void noteEnds() throws IOException, InterruptedException {
    Map<TopicPartition, Long> found =
        asked(
            "Read and Describe",
            () -> {
              TopicDescription seen = admin.described(List.of(topic)).get(topic);
              if (seen == null) {
                throw new ExecutionException(new UnknownTopicOrPartitionException(topic));
              }
              List<TopicPartition> all =
                  seen.partitions().stream()
                      .map(one -> new TopicPartition(topic, one.partition()))
                      .toList();
              return admin.offsets(all, OffsetSpec.latest());
            });
    ends.putAll(found);
  }

  /**
   * Reads on from the noted ends.
   *
   * @param atLeast ends when there are so many
   * @param patience or after this time
   */
  public List<Line> read(int atLeast, Duration patience) throws IOException, InterruptedException {
    return asked("Read and Describe", () -> lines(atLeast, patience));
  }

  private List<Line> lines(int atLeast, Duration patience) throws InterruptedException {
    List<Line> lines = new ArrayList<>();
    long end = System.nanoTime() + patience.toNanos();
    try (Consumer<byte[], byte[]> consumer = client.consumer("gilmok-accept")) {
      consumer.assign(ends.keySet());
      ends.forEach(consumer::seek);
      while (lines.size() < atLeast && System.nanoTime() < end) {
        for (ConsumerRecord<byte[], byte[]> one : consumer.poll(POLL)) {
          Header id = one.headers().lastHeader("gilmok-id");
          lines.add(new Line(text(one.key()), id == null ? "" : text(id.value()), one.timestamp()));
        }
      }
    } catch (InterruptException ended) {
      boolean _ = Thread.interrupted();
      throw new InterruptedException();
    }
    return lines;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Removes the topic, if it is there. */
  public void remove() throws IOException, InterruptedException {
    asked(
        "Delete",
        () -> {
          try {
            admin.got(admin.admin().deleteTopics(List.of(topic)).all());
            return true;
          } catch (ExecutionException cannot) {
            if (cannot.getCause() instanceof UnknownTopicOrPartitionException) {
              return false;
            }
            throw cannot;
          }
        });
  }

  private <T> T asked(String rights, Question<T> question)
      throws IOException, InterruptedException {
    try {
      return question.ask();
    } catch (ExecutionException | KafkaException cannot) {
      throw failed(rights, cannot);
    }
  }

  private IOException failed(String rights, Exception cannot) {
    return new IOException(
        KafkaFaults.ofNeeding(
            rights, cannot, client.config().bootstrapServers(), client.secrets()));
  }

  @Override
  public void close() {
    admin.close();
  }
}
