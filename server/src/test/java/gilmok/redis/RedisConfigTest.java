package gilmok.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class RedisConfigTest {
  @Test
  void defaults() {
    Settings settings = new Settings(Map.of());
    assertThat(RedisConfig.from(settings))
        .isEqualTo(
            new RedisConfig(
                null, false, Duration.ofSeconds(5), Duration.ofSeconds(5), 16_384, "gilmok"));
    settings.finish();
  }

  @Test
  void everything() {
    Settings settings =
        new Settings(
            Map.of(
                "redis.url", "rediss://me:p%40ss@one:7000,two:7001",
                "redis.cluster", "true",
                "redis.connect-timeout", "1 s",
                "redis.command-timeout", "2 s",
                "redis.requests-max", "10000",
                "redis.prefix", "fleet"));
    RedisConfig config = RedisConfig.from(settings);
    settings.finish();
    assertThat(config)
        .isEqualTo(
            new RedisConfig(
                "rediss://me:p%40ss@one:7000,two:7001",
                true, Duration.ofSeconds(1), Duration.ofSeconds(2), 10_000, "fleet"));
    assertThat(config.uris()).hasSize(2).allMatch(uri -> uri.isSsl());
    assertThat(config.address()).isEqualTo("one:7000,two:7001");
    assertThat(config.secrets()).containsExactly("p%40ss", "p@ss");
    assertThat(config.toString()).doesNotContain("p%40ss").doesNotContain("p@ss");
    assertThat(settings.effective()).containsEntry("redis.url", "********");
  }

  @Test
  void unreadable_isRefusedWithoutBeingTold() {
    Settings settings =
        new Settings(Map.of("redis.url", "http://me:s3cret@one", "redis.prefix", "a{b}"));
    RedisConfig.from(settings);
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("redis.url: must look like")
        .hasMessageContaining("redis.prefix: must be")
        .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("s3cret"));
  }
}
