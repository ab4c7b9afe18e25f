package gilmok.sinks.kafka;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * How far the topic of traces was read, and before that the one of newest positions. It outlives
 * the connection to Kafka.
 *
 * <p>Not thread-safe: owned by {@link KafkaPositions}.
 */
final class TopicProgress {
  private final String traces;
  private final String latest;
  private final Map<TopicPartition, Partition> partitions = new HashMap<>();

  /** The ids of the topics that are read: another topic of the same name has another. */
  private final Map<String, Uuid> ids = new HashMap<>();

  private long begunMillis;
  private boolean isWhole;
  private long newest;

  /** How far a partition was read. */
  private static final class Partition {
    /** The next record. */
    private long next;

    /** The end that was noted at the begin. */
    private final long noted;

    /** All that was sent before was read, epoch ms. */
    private long through;

    Partition(long next, long noted, long through) {
      this.next = next;
      this.noted = noted;
      this.through = through;
    }
  }

  /**
   * Nothing is read yet.
   *
   * @param traces the topic of traces
   * @param latest the compacted topic
   */
  TopicProgress(String traces, String latest) {
    this.traces = traces;
    this.latest = latest;
  }

  /** The topics that are needed to go on. */
  Set<String> topics() {
    return ids.isEmpty() ? Set.of(traces, latest) : Set.copyOf(ids.keySet());
  }

  /** Whether it has begun. */
  boolean hasBegun() {
    return !partitions.isEmpty();
  }

  /** Whether one of the topics that are read is not the one that was read. */
  boolean isOther(Map<String, TopicDescription> topics) {
    return topics.values().stream()
        .anyMatch(
            topic -> !ids.getOrDefault(topic.name(), topic.topicId()).equals(topic.topicId()));
  }

  /** Forgets everything: the next step is to begin. */
  void forget() {
    partitions.clear();
    ids.clear();
    isWhole = false;
    newest = 0;
  }

  /**
   * Notes where everything begins, in the order that {@link KafkaPositions} tells.
   *
   * @param now epoch ms
   * @param overlapMillis so much of the traces before that is read, too
   */
  void begin(TopicAdmin admin, Map<String, TopicDescription> topics, long now, long overlapMillis)
      throws ExecutionException, InterruptedException {
    long from = now - overlapMillis;
    List<TopicPartition> ofTraces = partitions(topics.get(traces));
    List<TopicPartition> ofLatest = partitions(topics.get(latest));
    Map<TopicPartition, Long> ends = admin.offsets(ofTraces, OffsetSpec.latest());
    Map<TopicPartition, Long> begins = admin.offsets(ofTraces, OffsetSpec.forTimestamp(from));
    Map<TopicPartition, Long> newestBegins = admin.offsets(ofLatest, OffsetSpec.earliest());
    Map<TopicPartition, Long> newestEnds = admin.offsets(ofLatest, OffsetSpec.latest());
    forget();
    begunMillis = now;
    for (TopicPartition one : ofTraces) {
      long end = ends.getOrDefault(one, 0L);
      long begin = begins.getOrDefault(one, -1L); // there may be no record of that time
      partitions.put(one, new Partition(begin < 0 ? end : Math.min(begin, end), end, from));
    }
    for (TopicPartition one : ofLatest) {
      long begin = newestBegins.getOrDefault(one, 0L);
      partitions.put(one, new Partition(begin, newestEnds.getOrDefault(one, begin), from));
    }
    topics.forEach((name, topic) -> ids.put(name, topic.topicId()));
  }

  private static List<TopicPartition> partitions(@Nullable TopicDescription topic) {
    return topic == null
        ? List.of()
        : topic.partitions().stream()
            .map(one -> new TopicPartition(topic.name(), one.partition()))
            .toList();
  }

  /** The partitions to read. */
  Set<TopicPartition> partitions() {
    return Set.copyOf(partitions.keySet());
  }

  /**
   * Adds partitions of traces that are new, from their begin.
   *
   * @param now epoch ms
   * @return whether there are any
   */
  boolean add(TopicDescription topic, long now) {
    int before = partitions.size();
    for (TopicPartition one : partitions(topic)) {
      partitions.putIfAbsent(one, new Partition(0, 0, now));
    }
    return partitions.size() > before;
  }

  /** Has a consumer read all partitions, from where they were read to. */
  void assign(Consumer<byte[], byte[]> consumer) {
    Set<TopicPartition> before = new HashSet<>(consumer.assignment());
    consumer.assign(partitions.keySet());
    partitions.forEach(
        (partition, progress) -> {
          if (!before.contains(partition)) {
            consumer.seek(partition, progress.next);
          }
        });
  }

  boolean isLatest(TopicPartition partition) {
    return partition.topic().equals(latest);
  }

  /**
   * Notes what was read.
   *
   * @param last the last record of the partition
   * @param count how many they were
   * @param now epoch ms
   */
  void read(TopicPartition partition, ConsumerRecord<byte[], byte[]> last, int count, long now) {
    Partition progress = partitions.get(partition);
    if (progress != null) {
      progress.next = last.offset() + 1;
      progress.through = Math.max(progress.through, Math.min(last.timestamp(), now));
    }
    newest += isLatest(partition) ? count : 0;
  }

  /** How many newest positions were read. */
  long newest() {
    return newest;
  }

  /** Whether all was read that was there at the begin; the newest positions are left then. */
  boolean isWhole() {
    return isWhole;
  }

  /** The newest positions were all read, and are not read any more. */
  void leaveNewest() {
    isWhole = true;
    partitions.keySet().removeIf(this::isLatest);
    ids.remove(latest);
  }

  /**
   * How far everything was read.
   *
   * @param isAllRead whether all was that was there at the begin
   * @param isAtEnd whether there is nothing more
   * @param through all that was sent before was read, epoch ms
   */
  record Distance(boolean isAllRead, boolean isAtEnd, long through) {}

  /**
   * How far everything was read.
   *
   * @param lag how many records a partition has beyond; empty while nobody knows
   * @param areKnown whether the brokers have told the ends lately
   * @param now epoch ms
   */
  Distance distance(Function<TopicPartition, OptionalLong> lag, boolean areKnown, long now) {
    boolean isAllRead = true;
    boolean isAtEnd = true;
    long oldest = now;
    for (var one : partitions.entrySet()) {
      Partition partition = one.getValue();
      OptionalLong beyond = lag.apply(one.getKey());
      boolean isPartitionAtEnd = beyond.isPresent() && beyond.getAsLong() == 0;
      // The last offsets may be missing, as after compaction: then the end is reached before them.
      boolean isRead = partition.next >= partition.noted || isPartitionAtEnd;
      long through = isPartitionAtEnd && areKnown ? now : isRead ? begunMillis : 0;
      partition.through = Math.max(partition.through, through);
      isAllRead &= isRead;
      isAtEnd &= isPartitionAtEnd;
      oldest = Math.min(oldest, partition.through);
    }
    return new Distance(isAllRead, isAtEnd, oldest);
  }
}
