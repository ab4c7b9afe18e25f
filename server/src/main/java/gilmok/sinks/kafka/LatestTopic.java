package gilmok.sinks.kafka;

import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the compacted topic of each rider's newest position: a pass a second sends those that have
 * moved. It follows the sink, from records that Kafka has acknowledged, and never holds it up. What
 * a pass could not send is sent by the next, unless there is something newer.
 *
 * <p>Thread-safe: the sink offers, a loop of its own passes.
 */
final class LatestTopic {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final KafkaConfig config;
  private final int ridersMax;
  private final OrderedProducer producer;
  private final Counter sent;
  private final Counter forgotten;

  /** When each rider's newest position was, the longest unheard first. */
  private final Map<String, Long> riders = new LinkedHashMap<>(64, 0.75f, true);

  /** The newest positions that are not sent yet: of riders that are remembered. */
  private final Map<String, ProducerRecord<byte[], byte[]>> pending = new LinkedHashMap<>();

  /** What the producer was opened with; the loop's own. */
  private @Nullable KafkaClient opened;

  LatestTopic(KafkaConfig config, KafkaConfig.Latest latest, Counter connections, Meters meters) {
    this.config = config;
    ridersMax = latest.ridersMax();
    String sink = config.common().name();
    producer = new OrderedProducer("gilmok-" + sink + "-latest", connections);
    String[] labels = {"sink", sink};
    sent =
        meters.counter(
            "gilmok_kafka_latest_sent_total", "Positions sent to the topic of newest.", labels);
    forgotten =
        meters.counter(
            "gilmok_kafka_latest_forgotten_total",
            "Riders that were forgotten before their newest position was sent.",
            labels);
    meters.gauge(
        "gilmok_kafka_latest_riders",
        "Riders whose newest position is remembered.",
        this::size,
        () -> ridersMax,
        labels);
    meters.gauge(
        "gilmok_kafka_latest_pending",
        "Riders whose newest position is not in the topic yet.",
        this::pending,
        labels);
  }

  private synchronized int size() {
    return riders.size();
  }

  private synchronized int pending() {
    return pending.size();
  }

  /** Takes a position that the sink has shipped. An older one than is known changes nothing. */
  synchronized void offer(KafkaEncoder.Fix fix) {
    Long known = riders.get(fix.rider());
    if (known != null && fix.at() < known) {
      return;
    }
    riders.put(fix.rider(), fix.at());
    pending.put(fix.rider(), fix.record());
    if (riders.size() > ridersMax) {
      Iterator<String> eldest = riders.keySet().iterator();
      if (pending.remove(eldest.next()) != null) {
        forgotten.increment();
      }
      eldest.remove();
    }
  }

  /**
   * Sends what has moved.
   *
   * @return nanoseconds until the next pass
   * @throws IOException when Kafka did not take all of it
   */
  long pass() throws IOException, InterruptedException {
    Map<String, ProducerRecord<byte[], byte[]>> moved = moved();
    if (moved.isEmpty()) {
      return EVERY_NANOS;
    }
    KafkaClient client = opened;
    SendOutcome outcome;
    try {
      if (client == null || !producer.isOpen()) {
        client = KafkaClient.of(config);
        producer.open(client);
        opened = client;
      }
      outcome = producer.send(new Moved(List.copyOf(moved.values())));
    } catch (KafkaException cannot) {
      throw new IOException(
          detail(cannot, client == null ? ClientFile.NONE : client.properties()), cannot);
    }
    settle(new ArrayList<>(moved.keySet()), moved, outcome);
    Exception failure = outcome.failure();
    if (failure != null) {
      throw new IOException(detail(failure, client.properties()), failure);
    }
    return EVERY_NANOS;
  }

  private String detail(Exception failure, ClientFile file) {
    return KafkaFaults.verdict(failure, config.bootstrapServers(), file.secrets()).detail();
  }

  private synchronized Map<String, ProducerRecord<byte[], byte[]>> moved() {
    return new LinkedHashMap<>(pending);
  }

  /** Those that are in the topic, or will never be, are not sent again. */
  private synchronized void settle(
      List<String> names, Map<String, ProducerRecord<byte[], byte[]>> moved, SendOutcome outcome) {
    var done = outcome.kept();
    sent.add(done.cardinality());
    done.or(outcome.tooLarge());
    for (int i = 0; i < names.size(); i++) {
      String rider = names.get(i);
      ProducerRecord<byte[], byte[]> was = moved.get(rider);
      if (was != null && done.get(i)) {
        boolean _ = pending.remove(rider, was); // unless there is something newer
      }
    }
  }

  /** The last pass, at the stop; then the producer is closed. */
  void end() throws IOException, InterruptedException {
    try {
      pass();
    } finally {
      producer.close();
    }
  }

  /** The records of one pass. */
  private record Moved(List<ProducerRecord<byte[], byte[]>> newest) implements OrderedProducer.Lot {
    @Override
    public int size() {
      return newest.size();
    }

    @Override
    public ProducerRecord<byte[], byte[]> record(int index) {
      return newest.get(index);
    }
  }
}
