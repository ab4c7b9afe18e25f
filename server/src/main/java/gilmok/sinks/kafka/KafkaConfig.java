package gilmok.sinks.kafka;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.SinkLimits;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a Kafka sink. Names nothing of Kafka's client, which may be absent.
 *
 * @param common the settings that all sinks have
 * @param bootstrapServers brokers to begin with, {@code host:port}, separated by commas
 * @param clientFile properties of the client's own, such as TLS and SASL; null: none
 * @param topicPrefix a stream's topic is this and the stream's name
 * @param latest the compacted topic; null: none
 * @param compression of Kafka's batches
 * @param sendTimeout how long a batch may take, with the client's own retries
 * @param rules what the topics must be like
 */
public record KafkaConfig(
    SinkConfig common,
    String bootstrapServers,
    @Nullable Path clientFile,
    String topicPrefix,
    @Nullable Latest latest,
    Compression compression,
    Duration sendTimeout,
    TopicRules rules) {
  /** Our own limits: a batch is held in memory as JSON, some three times as large. */
  static final SinkLimits LIMITS = new SinkLimits(10_000, 16L << 20, 1);

  /** A batch is one round trip to all brokers that it concerns, so it takes what waits. */
  private static final SinkConfig.Usual USUAL = new SinkConfig.Usual(5000, 1);

  private static final Pattern SERVERS =
      Pattern.compile("[^\\s,:]+:[0-9]{1,5}(,\\s*[^\\s,:]+:[0-9]{1,5})*");

  /** Kafka's own rule, with room for a stream's name within its 249 characters. */
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,230}");

  /** The compression of Kafka's batches. */
  public enum Compression {
    NONE,
    GZIP,
    SNAPPY,
    LZ4,
    ZSTD;

    /** The client's own word. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The topic of newest positions.
   *
   * @param topic compacted, keyed by rider
   * @param ridersMax how many riders are remembered
   */
  public record Latest(String topic, int ridersMax) {}

  /**
   * What topics must be like.
   *
   * @param isMade whether topics that are not there are made
   * @param partitions how many each must have; 0: any, and Kafka's default for one that is made
   * @param replicas of a topic that is made; 0: Kafka's default
   * @param minInsyncReplicas the least {@code min.insync.replicas}, and that of one that is made
   * @param isUnsafe whether that may be 1, or unknown
   */
  public record TopicRules(
      boolean isMade, int partitions, int replicas, int minInsyncReplicas, boolean isUnsafe) {}

  /**
   * Reads the keys of one sink.
   *
   * @param name the sink: its keys are {@code sinks.<name>.*}
   */
  public static KafkaConfig from(Settings settings, String name) {
    String prefix = "sinks." + name + ".";
    return new KafkaConfig(
        SinkConfig.from(settings, name, LIMITS, USUAL, EnumSet.allOf(Stream.class)),
        servers(settings, prefix + "bootstrap-servers"),
        clientFile(settings, prefix + "client-file"),
        name(settings, prefix + "topic-prefix", settings.text(prefix + "topic-prefix", "gilmok.")),
        latest(settings, prefix),
        settings.choice(prefix + "compression", Compression.LZ4),
        settings.duration(
            prefix + "send-timeout", "15 s", Duration.ofSeconds(1), Duration.ofMinutes(5)),
        rules(settings, prefix));
  }

  private static String servers(Settings settings, String key) {
    String text = settings.optionalText(key);
    if (text == null) {
      settings.problem(
          key + ": is needed: brokers to begin with, such as kafka-1:9092,kafka-2:9092");
      return "";
    }
    if (!SERVERS.matcher(text).matches()) {
      settings.problem(key + ": \"" + text + "\" is no list such as kafka-1:9092,kafka-2:9092");
    }
    return text;
  }

  private static String name(Settings settings, String key, String text) {
    if (!NAME.matcher(text).matches()) {
      settings.problem(key + ": a topic's name has letters, digits, \".\", \"_\" and \"-\"");
    }
    return text;
  }

  private static @Nullable Latest latest(Settings settings, String prefix) {
    String key = prefix + "latest-topic";
    String topic = settings.optionalText(key);
    int ridersMax = settings.number(prefix + "latest-riders-max", 100_000, 1000, 5_000_000);
    return topic == null ? null : new Latest(name(settings, key, topic), ridersMax);
  }

  private static @Nullable Path clientFile(Settings settings, String key) {
    String text = settings.optionalText(key);
    if (text == null) {
      return null;
    }
    try {
      Path file = Path.of(text);
      ClientFile.read(file);
      return file;
    } catch (InvalidPathException nonsense) {
      settings.problem(key + ": \"" + text + "\" is no path");
    } catch (IOException unusable) {
      settings.problem(key + ": " + unusable.getMessage());
    }
    return null;
  }

  private static TopicRules rules(Settings settings, String prefix) {
    String insync = prefix + "min-insync-replicas";
    String unsafe = prefix + "unsafe-min-insync-replicas";
    TopicRules rules =
        new TopicRules(
            settings.flag(prefix + "create-topics", false),
            settings.number(prefix + "partitions", 0, 0, 10_000),
            settings.number(prefix + "replicas", 0, 0, 16),
            settings.number(insync, 2, 1, 16),
            settings.flag(unsafe, false));
    if (rules.minInsyncReplicas() < 2 && !rules.isUnsafe()) {
      settings.problem(
          insync
              + ": with 1, a record that Kafka acknowledged is lost with one machine; if that may"
              + " be, set "
              + unsafe
              + "=true");
    }
    return rules;
  }

  /**
   * The same configuration for the traces alone, in a topic of another prefix.
   *
   * @param isMade whether the topic is made if it is not there
   */
  public KafkaConfig ofTracesIn(String otherPrefix, boolean isMade) {
    SinkConfig traces =
        new SinkConfig(
            common.name(),
            EnumSet.of(Stream.TRACES),
            common.tuning(),
            common.limits(),
            common.retryMin(),
            common.retryMax(),
            common.from());
    TopicRules own =
        new TopicRules(
            isMade,
            rules.partitions(),
            rules.replicas(),
            rules.minInsyncReplicas(),
            rules.isUnsafe());
    return new KafkaConfig(
        traces, bootstrapServers, clientFile, otherPrefix, null, compression, sendTimeout, own);
  }

  /** The topic of a stream. */
  public String topic(Stream stream) {
    return topicPrefix + stream.label();
  }
}
