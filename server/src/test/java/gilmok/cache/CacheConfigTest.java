package gilmok.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class CacheConfigTest {
  private static CacheConfig read(Map<String, String> given) {
    Settings settings = new Settings(given);
    CacheConfig config = CacheConfig.from(settings, "missions.cache");
    settings.finish();
    return config;
  }

  @Test
  void from_nothing_isDefaults() {
    assertThat(read(Map.of()))
        .isEqualTo(
            new CacheConfig(
                64 << 20,
                Duration.ofMinutes(2),
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                256,
                10_000,
                Duration.ofSeconds(3),
                Duration.ofMillis(100)));
  }

  @Test
  void from_all_isMapped() {
    assertThat(
            read(
                Map.of(
                    "missions.cache.bytes-max", "1 MiB",
                    "missions.cache.ttl", "1 s",
                    "missions.cache.stale-max", "2 s",
                    "missions.cache.stale-if-error", "3 s",
                    "missions.cache.loads-max", "4",
                    "missions.cache.waiters-max", "5",
                    "missions.cache.lease-timeout", "6 s",
                    "missions.cache.shared-timeout", "7 ms")))
        .isEqualTo(
            new CacheConfig(
                1 << 20,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                4,
                5,
                Duration.ofSeconds(6),
                Duration.ofMillis(7)));
  }

  @Test
  void from_staleIfErrorBelowStaleMax_isAProblem() {
    assertThatThrownBy(() -> read(Map.of("missions.cache.stale-if-error", "1 s")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("missions.cache.stale-if-error");
  }
}
