package gilmok.sinks.setup;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.firehose.FirehoseConfig;
import gilmok.sinks.firehose.FirehoseLimits;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.redis.RedisSinkConfig;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of one sink: the common ones, and those of its kind. */
public sealed interface SinkPlan {
  /** The settings that all sinks have. */
  SinkConfig common();

  /** A sink that writes files, in folders by stream, date and hour. */
  record Files(FilesConfig config) implements SinkPlan {
    @Override
    public SinkConfig common() {
      return config.common();
    }
  }

  /** A sink that sends to a delivery stream of Firehose. */
  record Firehose(SinkConfig common, FirehoseConfig config) implements SinkPlan {}

  /** A sink that keeps latest positions in Redis, and a stream of positions. */
  record Redis(RedisSinkConfig config) implements SinkPlan {
    @Override
    public SinkConfig common() {
      return config.common();
    }
  }

  /** A sink that sends to topics of Kafka. */
  record Kafka(KafkaConfig config) implements SinkPlan {
    @Override
    public SinkConfig common() {
      return config.common();
    }
  }

  /** Reads the settings of one sink; null if its name begins with no kind. */
  static @Nullable SinkPlan from(Settings settings, String name) {
    return switch (kind(name)) {
      case "files" -> new Files(FilesConfig.from(settings, name));
      case "firehose" ->
          new Firehose(
              SinkConfig.from(
                  settings,
                  name,
                  FirehoseLimits.SINK,
                  FirehoseLimits.USUAL,
                  EnumSet.allOf(Stream.class)),
              FirehoseConfig.from(settings, name));
      case "kafka" -> new Kafka(KafkaConfig.from(settings, name));
      case "redis" -> new Redis(RedisSinkConfig.from(settings, name));
      default -> null;
    };
  }

  /** Whether a sink's name begins with a kind. */
  static boolean hasKind(String name) {
    return Set.of("files", "firehose", "kafka", "redis").contains(kind(name));
  }

  private static String kind(String name) {
    int dash = name.indexOf('-');
    return dash < 0 ? name : name.substring(0, dash);
  }
}
