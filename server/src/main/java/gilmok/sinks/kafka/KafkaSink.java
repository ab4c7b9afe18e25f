package gilmok.sinks.kafka;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.log.StreamCounts;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Sink;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import gilmok.sinks.Verdict.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Ships to Kafka: each stream into its topic, a rider's records in order; see the package's page. A
 * record is acknowledged when all replicas in sync have it. The topics are looked at before the
 * first batch, and again after each failure.
 *
 * <p>Not thread-safe: one batch at a time; {@link #prepare} for the next one meanwhile, {@link
 * #probe} from any thread.
 */
public final class KafkaSink implements Sink {
  private static final int PLACE_CHARS_MAX = 200;
  private static final Duration LATEST_PATIENCE = Duration.ofSeconds(2);

  private final KafkaConfig config;
  private final OrderedProducer producer;
  private final Counter bytes;
  private final @Nullable LatestTopic latest;
  private final @Nullable BackgroundLoop latestLoop;

  /** What the producer was opened with. */
  private @Nullable KafkaClient opened;

  /** The records of the next batch; set by the loop, taken by who sends. */
  private volatile @Nullable KafkaEncoder next;

  /**
   * A sink that connects with its first batch.
   *
   * @param loops gets the loop that keeps the topic of newest positions, if there is one
   */
  public KafkaSink(KafkaConfig config, Meters meters, BackgroundLoops loops) {
    this.config = config;
    String sink = config.common().name();
    Counter connections =
        meters.counter(
            "gilmok_kafka_producers_opened_total",
            "How often a connection to Kafka was begun anew; again after each failure.",
            "sink",
            sink);
    bytes =
        meters.counter(
            "gilmok_kafka_sent_bytes_total",
            "Bytes of the records that were sent, before compression; repeats included.",
            "sink",
            sink);
    producer = new OrderedProducer("gilmok-" + sink, connections);
    if (config.latest() == null) {
      latest = null;
      latestLoop = null;
      return;
    }
    LatestTopic topic = new LatestTopic(config, config.latest(), connections, meters);
    BackgroundLoop.Work work =
        new BackgroundLoop.Work() {
          @Override
          public long pass() throws IOException, InterruptedException {
            return topic.pass();
          }

          @Override
          public void end() throws IOException, InterruptedException {
            topic.end();
          }
        };
    latest = topic;
    latestLoop = loops.optional(sink + "-latest", "newest positions are not in their topic", work);
    latestLoop.start();
  }

  @Override
  public String kind() {
    return "kafka";
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public boolean isDurable() {
    return true;
  }

  @Override
  public Verdict send(Batch batch) throws InterruptedException {
    KafkaClient client = opened;
    if (client == null || !producer.isOpen()) {
      try {
        client = KafkaClient.of(config);
      } catch (IOException unusable) {
        return unusable(unusable);
      }
      Retry fault = open(client);
      if (fault != null) {
        return fault;
      }
      opened = client;
    }
    KafkaEncoder encoder = encoder(batch);
    SendOutcome outcome = producer.send(encoder);
    bytes.add(encoder.bytes());
    return verdict(batch, encoder, outcome, client);
  }

  /** Encodes it while Kafka answers for the batch before, which this one must not overtake. */
  @Override
  public void prepare(Batch batch) {
    KafkaEncoder encoder = new KafkaEncoder(batch, config);
    encoder.prepare();
    next = encoder;
  }

  private KafkaEncoder encoder(Batch batch) {
    KafkaEncoder prepared = next;
    if (prepared == null || !prepared.isPreparedFor(batch)) {
      return new KafkaEncoder(batch, config);
    }
    next = null;
    return prepared;
  }

  private static Retry unusable(IOException file) {
    return new Retry(Cause.DENIED, "client-file: " + file.getMessage());
  }

  /** Looks at the topics and opens the producer; why that cannot be, or null. */
  private @Nullable Retry open(KafkaClient client) throws InterruptedException {
    Retry fault = look(client);
    if (fault == null) {
      try {
        producer.open(client);
      } catch (KafkaException cannot) {
        fault = failed(cannot, client);
      }
    }
    return fault;
  }

  private @Nullable Retry look(KafkaClient client) throws InterruptedException {
    try {
      String fault = new TopicCheck(client).fault();
      return fault == null ? null : new Retry(Cause.DENIED, fault);
    } catch (ExecutionException | KafkaException cannot) {
      return failed(cannot, client);
    }
  }

  private Retry failed(Exception why, KafkaClient client) {
    return KafkaFaults.verdict(why, config.bootstrapServers(), client.secrets());
  }

  /** Looks at the topics; makes them, if the settings say so. */
  @Override
  public @Nullable String probe() throws InterruptedException {
    try {
      Retry fault = look(KafkaClient.of(config));
      return fault == null ? null : fault.detail();
    } catch (IOException unusable) {
      return unusable(unusable).detail();
    }
  }

  private Verdict verdict(
      Batch batch, KafkaEncoder encoder, SendOutcome outcome, KafkaClient client) {
    StreamCounts acknowledged = new StreamCounts();
    BitSet kept = outcome.kept();
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      acknowledged.add(batch.stream(i));
      KafkaEncoder.Fix fix = encoder.fix(i);
      if (latest != null && fix != null) {
        latest.offer(fix);
      }
    }
    BitSet tooLarge = outcome.tooLarge();
    // One reason at a time: the damaged ones are sent again with the rest, and are rejected then.
    BitSet rejected = tooLarge.isEmpty() ? encoder.damaged : tooLarge;
    BitSet again = new BitSet();
    again.set(0, batch.size());
    again.andNot(kept);
    again.andNot(rejected);
    Verdict rest = rest(again, acknowledged, outcome, client);
    String reason =
        tooLarge.isEmpty()
            ? KafkaEncoder.DAMAGED
            : "larger than its topic takes (max.message.bytes), or a request"
                + " (max.request.size)";
    return rejected.isEmpty() ? rest : new Verdict.RejectThese(rejected, "", reason, rest);
  }

  private Verdict rest(
      BitSet again, StreamCounts acknowledged, SendOutcome outcome, KafkaClient client) {
    String place = place(outcome.places());
    if (again.isEmpty()) {
      return new Verdict.Done(acknowledged, place);
    }
    Exception failure = outcome.failure();
    Retry why =
        failure == null ? new Retry(Cause.FAILED, KafkaEncoder.DAMAGED) : failed(failure, client);
    return acknowledged.total() == 0
        ? why
        : new Verdict.RetryThese(again, acknowledged, place, why.cause(), why.detail());
  }

  /** The first and the last offset in each partition: {@code topic 0@7-9 3@1-2}. */
  private static String place(List<RecordMetadata> places) {
    Map<String, Map<Integer, long[]>> spans = new TreeMap<>();
    for (RecordMetadata one : places) {
      if (one.hasOffset()) {
        long[] span =
            spans
                .computeIfAbsent(one.topic(), _ -> new TreeMap<>())
                .computeIfAbsent(one.partition(), _ -> new long[] {Long.MAX_VALUE, 0});
        span[0] = Math.min(span[0], one.offset());
        span[1] = Math.max(span[1], one.offset());
      }
    }
    StringBuilder text = new StringBuilder();
    spans.forEach(
        (topic, partitions) -> {
          text.append(text.isEmpty() ? "" : " ").append(topic);
          partitions.forEach(
              (partition, span) ->
                  text.append(' ')
                      .append(partition)
                      .append('@')
                      .append(span[0])
                      .append('-')
                      .append(span[1]));
        });
    return text.length() <= PLACE_CHARS_MAX
        ? text.toString()
        : text.substring(0, PLACE_CHARS_MAX - 1) + "…";
  }

  @Override
  public void close() {
    producer.close();
    if (latestLoop != null) {
      try {
        latestLoop.stop(LATEST_PATIENCE);
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
