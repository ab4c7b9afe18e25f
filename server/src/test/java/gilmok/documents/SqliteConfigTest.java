package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class SqliteConfigTest {
  @Test
  void defaults() {
    Settings settings = new Settings(Map.of());
    assertThat(SqliteConfig.from(settings)).isEqualTo(SqliteConfig.DEFAULTS);
    settings.finish();
  }

  @Test
  void everything() {
    Settings settings =
        new Settings(
            Map.of(
                "documents.queue-max", "7",
                "documents.readers", "2",
                "documents.timeout", "1 s",
                "documents.commit-interval", "3 ms"));
    assertThat(SqliteConfig.from(settings))
        .isEqualTo(new SqliteConfig(7, 2, Duration.ofSeconds(1), Duration.ofMillis(3)));
    settings.finish();
  }
}
