package gilmok.sinks.kafka;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a topic that is read, every few seconds, on another connection: the client that reads
 * does not say that a broker is away, that partitions were added, or that the topic was made anew.
 * Nobody waits for the answer.
 *
 * <p>Not thread-safe: owned by who reads.
 */
final class TopicWatch {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final TopicAdmin admin;
  private final String topic;
  private long askedNanos = System.nanoTime();
  private @Nullable Question asked;
  private @Nullable Throwable failure;

  /** A question under way. The leader of each partition has to answer. */
  private record Question(
      KafkaFuture<Map<String, TopicDescription>> topics,
      KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> ends) {
    boolean isAnswered() {
      return topics.isDone() && (topics.isCompletedExceptionally() || ends.isDone());
    }
  }

  TopicWatch(TopicAdmin admin, String topic) {
    this.admin = admin;
    this.topic = topic;
  }

  /**
   * Asks if it is time, and takes the answer if it has come.
   *
   * @param read the partitions that are read
   * @return the topic as it is, if there is an answer
   */
  @Nullable TopicDescription look(Set<TopicPartition> read) throws InterruptedException {
    Question question = asked;
    if (question == null && System.nanoTime() - askedNanos >= EVERY_NANOS) {
      askedNanos = System.nanoTime();
      asked =
          new Question(
              admin.admin().describeTopics(List.of(topic)).allTopicNames(),
              admin.admin().listOffsets(TopicAdmin.each(read, OffsetSpec.latest())).all());
    }
    if (question == null || !question.isAnswered()) {
      return null;
    }
    asked = null;
    try {
      TopicDescription found = question.topics().get().get(topic);
      question.ends().get();
      failure = null;
      return found;
    } catch (ExecutionException cannot) {
      failure = cannot;
      return null;
    }
  }

  /** Why the last question had no answer; null if it had one. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Whether there was no such topic. */
  boolean isGone() {
    return failure != null && failure.getCause() instanceof UnknownTopicOrPartitionException;
  }
}
