package gilmok.sinks.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Kafka's client that asks about topics, with a bound on each wait. Thread-safe. */
final class TopicAdmin implements AutoCloseable {
  private final KafkaClient client;
  private final Admin admin;

  TopicAdmin(KafkaClient client, String clientId) {
    this.client = client;
    admin = client.admin(clientId);
  }

  Admin admin() {
    return admin;
  }

  /** Describes topics; without those that are not there. */
  Map<String, TopicDescription> described(Collection<String> topics)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> described = new TreeMap<>();
    for (var topic : admin.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        described.put(topic.getKey(), got(topic.getValue()));
      } catch (ExecutionException cannot) {
        if (!(cannot.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw cannot;
        }
      }
    }
    return described;
  }

  /** Offsets in partitions; -1 where there is none, as of a time that no record has reached. */
  Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec which)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    got(admin.listOffsets(each(partitions, which)).all())
        .forEach((partition, found) -> offsets.put(partition, found.offset()));
    return offsets;
  }

  /** The same question for each partition. */
  static Map<TopicPartition, OffsetSpec> each(
      Collection<TopicPartition> partitions, OffsetSpec which) {
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    partitions.forEach(partition -> all.put(partition, which));
    return all;
  }

  /** Waits for an answer. */
  <T> T got(KafkaFuture<T> future) throws ExecutionException, InterruptedException {
    try {
      return future.get(2 * client.requestMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new ExecutionException(
          new org.apache.kafka.common.errors.TimeoutException("no broker answered in time", late));
    }
  }

  /** Closes without waiting for anything. */
  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
