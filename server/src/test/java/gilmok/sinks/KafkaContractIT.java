package gilmok.sinks;

import gilmok.background.BackgroundLoops;
import gilmok.config.Settings;
import gilmok.observe.Meters;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.kafka.KafkaKit;
import gilmok.sinks.kafka.KafkaSink;
import gilmok.sinks.kafka.KafkaTopics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The contract over three brokers of Kafka. */
@Tag("engine")
final class KafkaContractIT extends SinkContract {
  private final String prefix = "contract-" + System.nanoTime() + ".";

  @Override
  Sink sink(SinksRig rig, Meters meters) throws Exception {
    Map<String, String> settings =
        Map.of(
            "sinks.kafka.bootstrap-servers",
            KafkaKit.shared().servers(),
            "sinks.kafka.topic-prefix",
            prefix,
            "sinks.kafka.streams",
            "traces",
            "sinks.kafka.create-topics",
            "true");
    KafkaConfig config = KafkaConfig.from(new Settings(settings), "kafka");
    return new KafkaSink(config, meters, BackgroundLoops.unwatched());
  }

  @Override
  List<Arrived> arrived() throws Exception {
    return KafkaKit.shared().topics().read(prefix + "traces").stream()
        .map(
            one -> {
              Arrived line = Arrived.of(one.value());
              String id = KafkaTopics.header(one, "gilmok-id");
              String key = KafkaTopics.header(one, "gilmok-dedup-key");
              return line.equals(new Arrived(id, key, one.key()))
                  ? line
                  : new Arrived("header " + id, "header " + key, one.key());
            })
        .toList();
  }
}
