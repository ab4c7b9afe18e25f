package gilmok.sinks.setup;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.firehose.FirehoseConfig;
import gilmok.sinks.firehose.FirehoseLimits;
import gilmok.sinks.redis.RedisSinkConfig;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A sink that the settings name: what all sinks are told, and what its kind is. */
public sealed interface SinkPlan {
  /** What all sinks are told. */
  SinkConfig common();

  /** Files in folders by stream, date and hour. */
  record Files(FilesConfig config) implements SinkPlan {
    @Override
    public SinkConfig common() {
      return config.common();
    }
  }

  /** A delivery stream of Firehose. */
  record Firehose(SinkConfig common, FirehoseConfig config) implements SinkPlan {}

  /** Latest positions in Redis, and a stream of them. */
  record Redis(RedisSinkConfig config) implements SinkPlan {
    @Override
    public SinkConfig common() {
      return config.common();
    }
  }

  /** Reads the keys of one; null if its name begins with no kind. */
  static @Nullable SinkPlan from(Settings settings, String name) {
    return switch (kind(name)) {
      case "files" -> new Files(FilesConfig.from(settings, name));
      case "firehose" ->
          new Firehose(
              SinkConfig.from(
                  settings,
                  name,
                  FirehoseLimits.SINK,
                  FirehoseLimits.USUAL_CONCURRENCY,
                  EnumSet.allOf(Stream.class)),
              FirehoseConfig.from(settings, name));
      case "redis" -> new Redis(RedisSinkConfig.from(settings, name));
      default -> null;
    };
  }

  /** Whether a sink's name begins with a kind. */
  static boolean hasKind(String name) {
    return Set.of("files", "firehose", "redis").contains(kind(name));
  }

  private static String kind(String name) {
    int dash = name.indexOf('-');
    return dash < 0 ? name : name.substring(0, dash);
  }
}
