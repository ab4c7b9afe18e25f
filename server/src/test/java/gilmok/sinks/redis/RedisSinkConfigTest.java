package gilmok.sinks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.log.Stream;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class RedisSinkConfigTest {
  @Test
  void defaults() {
    Settings settings = new Settings(Map.of());
    RedisSinkConfig config = RedisSinkConfig.from(settings, "redis");
    settings.finish();
    assertThat(config.buckets()).isEqualTo(1);
    assertThat(config.keep()).isEqualTo(Duration.ofDays(30));
    assertThat(config.streamLengthMax()).isEqualTo(100_000);
    assertThat(config.common().name()).isEqualTo("redis");
    assertThat(config.common().streams()).containsExactly(Stream.TRACES);
    assertThat(config.common().tuning().maxConcurrency()).isEqualTo(1);
    assertThat(config.common().limits()).isEqualTo(RedisSinkConfig.LIMITS);
  }

  @Test
  void everything() {
    Settings settings =
        new Settings(
            Map.of(
                "sinks.redis-two.buckets", "16",
                "sinks.redis-two.keep", "1 h",
                "sinks.redis-two.stream-length-max", "5",
                "sinks.redis-two.streams", "traces"));
    RedisSinkConfig config = RedisSinkConfig.from(settings, "redis-two");
    settings.finish();
    assertThat(config.buckets()).isEqualTo(16);
    assertThat(config.keep()).isEqualTo(Duration.ofHours(1));
    assertThat(config.streamLengthMax()).isEqualTo(5);
  }

  @Test
  void anotherStreamOrMoreAtOnce_isRefused() {
    Settings settings =
        new Settings(
            Map.of("sinks.redis.streams", "traces, logs", "sinks.redis.max-concurrency", "2"));
    RedisSinkConfig.from(settings, "redis");
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("sinks.redis.streams: \"logs\" is none of traces")
        .hasMessageContaining("sinks.redis.max-concurrency: 2 is not between 1 and 1");
  }
}
