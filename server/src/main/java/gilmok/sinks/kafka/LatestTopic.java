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

  /** Each rider's newest position, the longest unheard first. */
  private final Map<String, Newest> riders = new LinkedHashMap<>(64, 0.75f, true);

  /** What the producer was opened with; the loop's own. */
  private @Nullable KafkaClient opened;

  /** How many of them are not sent yet. */
  private int pending;

  /** A rider's newest position; the record is null once it is sent. */
  private record Newest(long at, @Nullable ProducerRecord<byte[], byte[]> record) {}

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
    return pending;
  }

  /** Takes a position that the sink has shipped. An older one than is known changes nothing. */
  synchronized void offer(KafkaEncoder.Fix fix) {
    Newest known = riders.get(fix.rider());
    if (known == null || fix.at() >= known.at()) {
      put(fix.rider(), new Newest(fix.at(), fix.record()));
    }
  }

  private void put(String rider, Newest newest) {
    Newest before = riders.put(rider, newest);
    pending += isPending(newest) - isPending(before);
    if (riders.size() > ridersMax) {
      Iterator<Newest> eldest = riders.values().iterator();
      int lost = isPending(eldest.next());
      eldest.remove();
      pending -= lost;
      forgotten.add(lost);
    }
  }

  private static int isPending(@Nullable Newest newest) {
    return newest == null || newest.record() == null ? 0 : 1;
  }

  /**
   * Sends what has moved.
   *
   * @return nanoseconds until the next pass
   * @throws IOException when Kafka did not take all of it
   */
  long pass() throws IOException, InterruptedException {
    Map<String, Newest> moved = moved();
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

  private synchronized Map<String, Newest> moved() {
    Map<String, Newest> moved = new LinkedHashMap<>();
    if (pending > 0) {
      riders.forEach(
          (rider, newest) -> {
            if (newest.record() != null) {
              moved.put(rider, newest);
            }
          });
    }
    return moved;
  }

  /** Those that are in the topic, or will never be, are not sent again. */
  private synchronized void settle(
      List<String> names, Map<String, Newest> moved, SendOutcome outcome) {
    var done = outcome.kept();
    sent.add(done.cardinality());
    done.or(outcome.tooLarge());
    for (int i = 0; i < names.size(); i++) {
      String rider = names.get(i);
      Newest was = moved.get(rider);
      if (was != null && done.get(i) && was.equals(riders.get(rider))) {
        put(rider, new Newest(was.at(), null));
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
  private record Moved(List<Newest> newest) implements OrderedProducer.Lot {
    @Override
    public int size() {
      return newest.size();
    }

    @Override
    public @Nullable ProducerRecord<byte[], byte[]> record(int index) {
      return newest.get(index).record();
    }
  }
}
