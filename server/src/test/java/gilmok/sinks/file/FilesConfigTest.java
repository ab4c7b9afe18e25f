package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.log.StreamRetention;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FilesConfigTest {
  private static final Path DATA = Path.of("data");

  @Test
  void from_nothingGiven_defaults() {
    Settings settings = new Settings(Map.of());
    FilesConfig config = FilesConfig.from(settings, "files");
    settings.finish();
    assertThat(config)
        .isEqualTo(
            new FilesConfig(
                config.common(),
                null,
                FileFormat.NDJSON,
                ZoneId.of("UTC"),
                Duration.ofSeconds(10),
                64L << 20,
                StreamRetention.of(Duration.ZERO),
                0,
                new FilesConfig.Replacing(true, Duration.ofMinutes(1))));
    assertThat(config.common().streams()).isEqualTo(EnumSet.complementOf(EnumSet.of(Stream.AUDIT)));
    assertThat(config.common().tuning().maxConcurrency()).isEqualTo(1);
    assertThat(config.folder(DATA)).isEqualTo(Path.of("data/shipped"));
    assertThat(FilesConfig.from(settings, "files-logs").folder(DATA))
        .isEqualTo(Path.of("data/shipped-logs"));
  }

  @Test
  void from_everythingGiven_isTaken() {
    Map<String, String> given = new HashMap<>();
    given.put("sinks.files-a.folder", "/lake");
    given.put("sinks.files-a.format", "parquet");
    given.put("sinks.files-a.zone", "Asia/Seoul");
    given.put("sinks.files-a.file-age-max", "1 min");
    given.put("sinks.files-a.file-bytes-max", "1 MiB");
    given.put("sinks.files-a.retention", "30 d");
    given.put("sinks.files-a.logs-retention", "3 d");
    given.put("sinks.files-a.retention-bytes-max", "10 GiB");
    given.put("sinks.files-a.compact", "false");
    given.put("sinks.files-a.replaced-keep", "0 s");
    given.put("sinks.files-a.streams", "logs");
    Settings settings = new Settings(given);
    FilesConfig config = FilesConfig.from(settings, "files-a");
    settings.finish();
    assertThat(config)
        .isEqualTo(
            new FilesConfig(
                config.common(),
                Path.of("/lake"),
                FileFormat.PARQUET,
                ZoneId.of("Asia/Seoul"),
                Duration.ofMinutes(1),
                1L << 20,
                new StreamRetention(Duration.ofDays(30), Map.of(Stream.LOGS, Duration.ofDays(3))),
                10L << 30,
                new FilesConfig.Replacing(false, Duration.ZERO)));
    assertThat(config.common().name()).isEqualTo("files-a");
    assertThat(config.common().streams()).containsExactly(Stream.LOGS);
    assertThat(config.folder(DATA)).isEqualTo(Path.of("/lake"));
  }
}
