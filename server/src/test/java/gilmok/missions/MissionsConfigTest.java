package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class MissionsConfigTest {
  private static MissionsConfig read(Map<String, String> values) {
    Settings settings = new Settings(values);
    MissionsConfig config = MissionsConfig.from(settings);
    settings.finish();
    return config;
  }

  @Test
  void defaults() {
    MissionsConfig config = read(Map.of());
    assertThat(config.staleWhileRevalidate()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.keptAfterEnd()).isEqualTo(Duration.ofDays(30));
    assertThat(config.bytesMax()).isEqualTo(16 << 20);
    assertThat(config.ridersMax()).isEqualTo(500_000);
    assertThat(config.atWorkMax()).isEqualTo(256);
    assertThat(config.keep()).isZero();
  }

  @Test
  void allKeys_areRead() {
    MissionsConfig config =
        read(
            Map.of(
                "missions.stale-while-revalidate", "5 s",
                "missions.kept-after-end", "40 d",
                "missions.bytes-max", "1 MiB",
                "missions.riders-max", "7",
                "missions.concurrency-max", "8",
                "missions.keep", "41 d"));
    assertThat(config.staleWhileRevalidate()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.keptAfterEnd()).isEqualTo(Duration.ofDays(40));
    assertThat(config.bytesMax()).isEqualTo(1 << 20);
    assertThat(config.ridersMax()).isEqualTo(7);
    assertThat(config.atWorkMax()).isEqualTo(8);
    assertThat(config.keep()).isEqualTo(Duration.ofDays(41));
    assertThat(config.keepingAll().keep()).isZero();
    assertThat(config.keepingAll().keptAfterEnd()).isEqualTo(Duration.ofDays(40));
  }

  @Test
  void keep_isNoShorterThanWhatCanBeSettled() {
    assertThatThrownBy(() -> read(Map.of("missions.keep", "30 d")))
        .hasMessageContaining("missions.keep: less than 31 d");
    assertThatThrownBy(
            () -> read(Map.of("missions.keep", "40 d", "missions.kept-after-end", "40 d")))
        .hasMessageContaining("missions.keep: must be at least 1 d longer");
  }

  @Test
  void reload_keepsWhatThisProcessStillSettles() {
    MissionsConfig running = read(Map.of("missions.kept-after-end", "100 d"));
    assertThat(running.keep(read(Map.of("missions.keep", "31 d")))).isEqualTo(Duration.ofDays(101));
    assertThat(running.keep(read(Map.of("missions.keep", "200 d"))))
        .isEqualTo(Duration.ofDays(200));
    assertThat(running.keep(read(Map.of()))).isZero();
  }
}
