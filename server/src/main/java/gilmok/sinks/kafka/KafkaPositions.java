package gilmok.sinks.kafka;

import gilmok.log.Stream;
import gilmok.sinks.kafka.TopicProgress.Distance;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Reads the positions of all servers from the topics to which their sinks ship. It begins with the
 * newest position of each rider, in the compacted topic, and goes on with the topic of traces:
 *
 * <ol>
 *   <li>it notes the ends of the topic of traces, and where those were some seconds earlier;
 *   <li>it notes the ends of the compacted topic;
 *   <li>it reads the compacted topic from its begin, and the traces from that earlier place, up to
 *       the noted ends;
 *   <li>it goes on with the traces.
 * </ol>
 *
 * <p>A sink sends a position to the compacted topic after Kafka has acknowledged it in the traces:
 * with a pass a second, which may take as long as the sink's {@code send-timeout}. So many seconds
 * of the traces, and a few more, are read again: what is older was in the compacted topic when its
 * ends were noted. What comes twice, or in another order, does no harm, as the newest fix is the
 * latest.
 *
 * <p>The consumer has no group and commits nothing: each server reads everything. When what follows
 * the last record read is no longer there (retention was faster, the topic was made anew), all
 * begins again. After any other failure it connects again, and goes on where it was.
 *
 * <p>Not thread-safe: owned by a background loop. {@link #close} comes from another thread, after
 * the loop was asked to end.
 */
public final class KafkaPositions implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("gilmok.positions");

  /** Beside the sink's {@code send-timeout}: a pass a second, and clocks that differ a little. */
  private static final long OVERLAP_MILLIS = 5000;

  private final KafkaConfig config;
  private final InstantSource clock;
  private final String traces;
  private final TopicProgress progress;
  private volatile @Nullable Connection connection;

  /** Takes what is read. */
  public interface Taker {
    /** All riders are read anew from here on. */
    void begun();

    /**
     * Whether a record need not be read.
     *
     * @param id its id, {@code node:sequence}
     */
    boolean isKnown(byte[] id);

    /** Takes a line as sinks ship it, or whatever else somebody has written there. */
    void line(byte[] line, Place place);
  }

  /** Where a record is. */
  public record Place(String topic, int partition, long offset) {
    @Override
    public String toString() {
      return "the record " + topic + " " + partition + "@" + offset + " in Kafka";
    }
  }

  /**
   * The outcome of one reading.
   *
   * @param isWhole whether everything was read that was there at the begin
   * @param isAtEnd whether there was nothing more to read
   * @param behindMillis for how long there has been something that is not read; 0 at the end
   * @param fault why a part cannot be read at present; null: all of it can
   */
  public record Reading(
      boolean isWhole, boolean isAtEnd, long behindMillis, @Nullable String fault) {}

  /** What is open. */
  private record Connection(
      KafkaClient client, TopicAdmin admin, TopicWatch watch, Consumer<byte[], byte[]> consumer)
      implements AutoCloseable {
    @Override
    public void close() {
      admin.close();
      closeConsumer(consumer);
    }
  }

  /**
   * A reader that connects with the first reading.
   *
   * @param config of a sink that ships traces and has a compacted topic
   */
  public KafkaPositions(KafkaConfig config, InstantSource clock) {
    KafkaConfig.Latest latest = config.latest();
    if (latest == null) {
      throw new IllegalArgumentException("no compacted topic");
    }
    this.config = config;
    this.clock = clock;
    traces = config.topic(Stream.TRACES);
    progress = new TopicProgress(traces, latest.topic());
  }

  /**
   * Reads what comes next, in bounded number. If there is nothing, it waits for it.
   *
   * @throws IOException when nothing was read; the next call connects again, and goes on
   */
  public Reading read(Taker taker, Duration waitMax) throws IOException, InterruptedException {
    Connection open = connection;
    KafkaClient client = open == null ? client() : open.client();
    try {
      if (open == null) {
        open = connect(client, taker);
        connection = open;
      }
      look(open);
      ConsumerRecords<byte[], byte[]> records = open.consumer().poll(waitMax);
      take(records, taker);
      return reading(open, records.isEmpty());
    } catch (OffsetOutOfRangeException lost) {
      disconnect();
      progress.forget();
      throw new IOException(
          traces
              + " in Kafka no longer has what follows the last record read: all riders are read"
              + " again",
          lost);
    } catch (InterruptException | WakeupException stopped) {
      boolean _ = Thread.interrupted(); // the client has set the flag
      disconnect();
      InterruptedException interrupted = new InterruptedException();
      interrupted.initCause(stopped);
      throw interrupted;
    } catch (KafkaException | ExecutionException cannot) {
      disconnect();
      throw new IOException(told(cannot, client), cannot);
    }
  }

  private KafkaClient client() throws IOException {
    try {
      return KafkaClient.of(config);
    } catch (IOException unusable) {
      throw new IOException("client-file: " + unusable.getMessage(), unusable);
    }
  }

  private String told(Throwable failure, KafkaClient client) {
    return KafkaFaults.ofReading(failure, config.bootstrapServers(), client.secrets());
  }

  private Connection connect(KafkaClient client, Taker taker)
      throws IOException, ExecutionException, InterruptedException {
    String clientId = "gilmok-" + config.common().name() + "-positions";
    Connection opened = null;
    Consumer<byte[], byte[]> consumer = null;
    TopicAdmin admin = new TopicAdmin(client, clientId + "-topics");
    try {
      Map<String, TopicDescription> topics = topics(client, admin);
      if (progress.isOther(topics)) {
        progress.forget();
        topics = topics(client, admin);
      }
      if (!progress.hasBegun()) {
        long overlapMillis = config.sendTimeout().toMillis() + OVERLAP_MILLIS;
        progress.begin(admin, topics, clock.millis(), overlapMillis);
        taker.begun();
      }
      consumer = client.consumer(clientId);
      progress.assign(consumer);
      opened = new Connection(client, admin, new TopicWatch(admin, traces), consumer);
      return opened;
    } finally {
      if (opened == null) {
        admin.close();
        closeConsumer(consumer);
      }
    }
  }

  /** The topics; those that are not there are made, if the sink makes its topics. */
  private Map<String, TopicDescription> topics(KafkaClient client, TopicAdmin admin)
      throws IOException, ExecutionException, InterruptedException {
    Set<String> names = progress.topics();
    Map<String, TopicDescription> topics = admin.described(names);
    if (topics.size() < names.size()) {
      String fault = new TopicCheck(client).fault();
      topics = admin.described(names);
      if (topics.size() < names.size()) {
        String reason = fault == null ? "topics are made, and not there yet" : fault;
        throw new IOException(config.bootstrapServers() + ": " + reason);
      }
    }
    return topics;
  }

  /** Takes the answer about the topic of traces, if there is one. */
  private void look(Connection open) throws IOException, InterruptedException {
    TopicDescription topic = open.watch().look(progress.partitions());
    if (open.watch().isGone()) {
      disconnect(); // the next reading looks whether there is another
      throw new IOException(config.bootstrapServers() + ": no topic " + traces);
    }
    if (topic != null && progress.isOther(Map.of(traces, topic))) {
      throw new OffsetOutOfRangeException(Map.of());
    }
    if (topic != null && progress.add(topic, clock.millis())) {
      progress.assign(open.consumer());
    }
  }

  private void take(ConsumerRecords<byte[], byte[]> records, Taker taker) {
    for (TopicPartition partition : records.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> all = records.records(partition);
      boolean isLatest = progress.isLatest(partition);
      for (ConsumerRecord<byte[], byte[]> record : all) {
        take(record, isLatest, taker);
      }
      progress.read(partition, all.getLast(), all.size(), clock.millis());
    }
  }

  /** Of the newest positions the server's own are read, too: it may have lost them. */
  private static void take(ConsumerRecord<byte[], byte[]> record, boolean isLatest, Taker taker) {
    Header id = isLatest ? null : record.headers().lastHeader(KafkaEncoder.ID);
    if (id != null && id.value() != null && taker.isKnown(id.value())) {
      return;
    }
    byte[] line = record.value();
    if (line != null || !isLatest) { // none there: a rider was removed from the compacted topic
      Place place = new Place(record.topic(), record.partition(), record.offset());
      taker.line(line == null ? new byte[0] : line, place);
    }
  }

  private Reading reading(Connection open, boolean isEmpty) {
    Throwable failure = open.watch().failure();
    long now = clock.millis();
    Distance distance = progress.distance(one -> lag(open, one), failure == null, now);
    if (!progress.isWhole() && distance.isAllRead()) {
      LOGGER.log(Level.INFO, "read {0} newest positions of riders from Kafka", progress.newest());
      progress.leaveNewest();
      progress.assign(open.consumer());
    }
    boolean isWhole = progress.isWhole();
    return new Reading(
        isWhole,
        isWhole && (isEmpty || distance.isAtEnd()),
        now - distance.through(),
        failure == null ? null : told(failure, open.client()));
  }

  /** What was read is handed on in any case: a failure comes again with the next reading. */
  private static OptionalLong lag(Connection open, TopicPartition partition) {
    try {
      return open.consumer().currentLag(partition);
    } catch (KafkaException unknown) {
      return OptionalLong.empty();
    }
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  private static void closeConsumer(@Nullable Consumer<byte[], byte[]> consumer) {
    if (consumer != null) {
      try {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      } catch (KafkaException | ConcurrentModificationException cannot) {
        // It is closing; or the loop is in it, and closes it when it is woken.
      }
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    if (open != null) {
      open.consumer().wakeup();
      open.close();
    }
  }
}
