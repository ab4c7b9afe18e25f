package gilmok.sinks.redis;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.SinkLimits;
import java.time.Duration;
import java.util.EnumSet;

/**
 * The settings of a Redis sink, besides the address of Redis ({@code redis.*}).
 *
 * @param common the settings that all sinks have
 * @param buckets over how many sets of keys the riders are spread; more than one only helps a
 *     cluster, and all servers must have the same number
 * @param keep riders whose latest fix is older than this are forgotten
 * @param streamLengthMax about how many positions the stream keeps
 */
public record RedisSinkConfig(SinkConfig common, int buckets, Duration keep, int streamLengthMax) {
  static final int BUCKETS_MAX = 1024;

  /** Our own limits; those of Redis are far higher (512 MB a value). */
  static final SinkLimits LIMITS = new SinkLimits(5000, 16L << 20, 1);

  /**
   * Reads the keys of one sink.
   *
   * @param name the sink: its keys are {@code sinks.<name>.*}
   */
  public static RedisSinkConfig from(Settings settings, String name) {
    String prefix = "sinks." + name + ".";
    return new RedisSinkConfig(
        SinkConfig.from(
            settings, name, LIMITS, SinkConfig.Usual.ONE_BY_ONE, EnumSet.of(Stream.TRACES)),
        settings.number(prefix + "buckets", 1, 1, BUCKETS_MAX),
        settings.duration(prefix + "keep", "30 d", Duration.ofMinutes(1), Duration.ofDays(3650)),
        settings.number(prefix + "stream-length-max", 100_000, 1, 1_000_000_000));
  }
}
