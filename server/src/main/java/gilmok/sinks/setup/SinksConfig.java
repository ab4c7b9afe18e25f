package gilmok.sinks.setup;

import gilmok.config.Settings;
import gilmok.redis.RedisConfig;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.redis.RedisSinkConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code sinks.*} and {@code redis.*}: the sinks, and what they share.
 *
 * @param sinks in the order of their names in {@code sinks.enabled}
 * @param saveInterval how often the progress of each sink is made durable
 * @param receiptsKeep how long receipts are kept
 * @param receiptsBytesMax the most bytes of one sink's receipts
 */
public record SinksConfig(
    List<SinkPlan> sinks,
    Duration saveInterval,
    Duration receiptsKeep,
    long receiptsBytesMax,
    RedisConfig redis) {

  public static SinksConfig from(Settings settings) {
    RedisConfig redis = RedisConfig.from(settings);
    return new SinksConfig(
        sinks(settings, redis),
        settings.duration(
            "sinks.save-interval", "1 s", Duration.ofMillis(10), Duration.ofMinutes(1)),
        settings.duration(
            "sinks.receipts-keep", "30 d", Duration.ofMinutes(1), Duration.ofDays(3650)),
        settings.bytes("sinks.receipts-bytes-max", "1 GiB", 1 << 20, 1L << 40),
        redis);
  }

  /**
   * The settings of the shadow server that is warmed up in this one's place: it ships into files of
   * its own, if this server ships at all, and never to this server's destinations.
   *
   * @param ownRedis the shadow server's keys in Redis, if it has any
   */
  public SinksConfig ofTwin(RedisConfig ownRedis) {
    List<SinkPlan> files = new ArrayList<>();
    for (SinkPlan sink : sinks) {
      if (sink instanceof SinkPlan.Files(FilesConfig config)) {
        files.add(new SinkPlan.Files(config.inDataFolder()));
      }
    }
    if (files.isEmpty() && !sinks.isEmpty()) {
      FilesConfig usual = FilesConfig.from(new Settings(Map.of()), FilesConfig.KIND);
      files.add(new SinkPlan.Files(usual));
    }
    return new SinksConfig(
        List.copyOf(files), saveInterval, receiptsKeep, receiptsBytesMax, ownRedis);
  }

  /** The names of the sinks. */
  public List<String> names() {
    return sinks.stream().map(sink -> sink.common().name()).toList();
  }

  /** The settings of the first sink of the kind redis; null if there is none. */
  public @Nullable RedisSinkConfig redisSink() {
    return sinks.stream()
        .filter(SinkPlan.Redis.class::isInstance)
        .map(sink -> ((SinkPlan.Redis) sink).config())
        .findFirst()
        .orElse(null);
  }

  /** The settings of the first sink of the kind kafka; null if there is none. */
  public @Nullable KafkaConfig kafkaSink() {
    return sinks.stream()
        .filter(SinkPlan.Kafka.class::isInstance)
        .map(sink -> ((SinkPlan.Kafka) sink).config())
        .findFirst()
        .orElse(null);
  }

  private static List<SinkPlan> sinks(Settings settings, RedisConfig redis) {
    List<SinkPlan> sinks = new ArrayList<>();
    for (String name : new LinkedHashSet<>(settings.words("sinks.enabled"))) {
      if (!name.matches("[a-z0-9]+(-[a-z0-9]+)*") || name.length() > SinkConfig.NAME_CHARS_MAX) {
        settings.problem(
            "sinks.enabled: \""
                + name
                + "\" is no name: small letters, digits and dashes, at most "
                + SinkConfig.NAME_CHARS_MAX);
        continue;
      }
      SinkPlan plan = SinkPlan.from(settings, name);
      if (plan == null) {
        settings.problem(
            "sinks.enabled: \""
                + name
                + "\" must begin with a kind: files, firehose, kafka or redis");
        continue;
      }
      if (plan instanceof SinkPlan.Redis && redis.url() == null) {
        settings.problem("redis.url: is needed by the sink " + name);
      }
      sinks.add(plan);
    }
    refuseStrays(settings, sinks);
    refuseSharedFiles(settings, sinks);
    return List.copyOf(sinks);
  }

  /** Refuses keys of a sink that is not enabled: they are more likely a mistake than intended. */
  private static void refuseStrays(Settings settings, List<SinkPlan> sinks) {
    List<String> names = sinks.stream().map(sink -> sink.common().name()).toList();
    for (String key : settings.given("sinks.")) {
      String[] parts = key.split("\\.");
      if (parts.length == 3 && !names.contains(parts[1]) && SinkPlan.hasKind(parts[1])) {
        settings.optionalText(key);
        settings.problem(key + ": sinks.enabled names no sink " + parts[1]);
      }
    }
  }

  /**
   * Refuses sinks that would write the same file names into one folder and so replace each other's
   * files.
   */
  private static void refuseSharedFiles(Settings settings, List<SinkPlan> sinks) {
    List<FilesConfig> files = new ArrayList<>();
    for (SinkPlan sink : sinks) {
      if (sink instanceof SinkPlan.Files(FilesConfig config) && config.folder() != null) {
        for (FilesConfig other : files) {
          if (config.collidesWith(other)) {
            settings.problem(
                "sinks."
                    + config.common().name()
                    + ".folder: the sink "
                    + other.common().name()
                    + " writes the same streams there, in the same format");
          }
        }
        files.add(config);
      }
    }
  }
}
