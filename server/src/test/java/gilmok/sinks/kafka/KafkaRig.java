package gilmok.sinks.kafka;

import gilmok.background.BackgroundLoops;
import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A sink with topics of its own in a real Kafka. */
final class KafkaRig implements AutoCloseable {
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  final String prefix = "t" + NEXT.incrementAndGet() + ".";
  final List<Verdict> verdicts = new ArrayList<>();
  final Meters meters = new Meters();
  final KafkaSink sink;
  private final KafkaTopics topics;

  /**
   * @param keysAndValues settings below {@code sinks.kafka.}, in turn
   */
  KafkaRig(String servers, KafkaTopics topics, String... keysAndValues) {
    this.topics = topics;
    Map<String, String> settings = new HashMap<>();
    settings.put("sinks.kafka.bootstrap-servers", servers);
    settings.put("sinks.kafka.topic-prefix", prefix);
    settings.put("sinks.kafka.send-timeout", "6 s");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.put("sinks.kafka." + keysAndValues[i], keysAndValues[i + 1]);
    }
    Settings read = new Settings(settings);
    KafkaConfig config = KafkaConfig.from(read, "kafka");
    read.finish();
    sink = new KafkaSink(config, meters, BackgroundLoops.unwatched());
  }

  /** Sends until every record is there, as the shipper does; returns how many were acknowledged. */
  long ship(Batch all) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    long acknowledged = 0;
    Batch batch = all;
    while (System.nanoTime() < end) {
      Verdict verdict = sink.send(batch);
      verdicts.add(verdict);
      switch (verdict) {
        case Verdict.Done done -> {
          return acknowledged + done.acknowledged().total();
        }
        case Verdict.RetryThese some -> {
          acknowledged += some.acknowledged().total();
          batch = batch.only(some.again());
        }
        case Verdict.Retry _ -> LockSupport.parkNanos(50_000_000);
        default -> throw new AssertionError(verdict);
      }
    }
    throw new AssertionError("not done: " + verdicts.getLast());
  }

  /** The first answer after the topics are there: a broker makes them a while after it said so. */
  Verdict answer(Batch batch) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    Verdict verdict = sink.send(batch);
    while (verdict instanceof Verdict.Retry retry
        && retry.detail().contains("not there yet")
        && System.nanoTime() < end) {
      LockSupport.parkNanos(50_000_000);
      verdict = sink.send(batch);
    }
    return verdict;
  }

  List<ConsumerRecord<String, String>> read(Stream stream) {
    return topics.read(prefix + stream.label());
  }

  /** The record ids of each key, in their partition's order. */
  Map<String, List<String>> idsByKey(Stream stream) {
    Map<String, List<String>> ids = new HashMap<>();
    for (ConsumerRecord<String, String> record : read(stream)) {
      ids.computeIfAbsent(record.key(), _ -> new ArrayList<>())
          .add(KafkaTopics.header(record, KafkaEncoder.ID));
    }
    return ids;
  }

  double shown(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + "{sink=\"kafka\"} "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    sink.close();
    meters.close();
  }
}
