package gilmok.ship.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.ship.SinkConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
                config.common(), null, Format.NDJSON, Duration.ofSeconds(10), 64L << 20));
    assertThat(config.common().streams()).isEqualTo(EnumSet.allOf(Stream.class));
    assertThat(config.common().tuning().maxConcurrency()).isEqualTo(1);
    assertThat(config.folder(DATA)).isEqualTo(Path.of("data/shipped"));
    assertThat(FilesConfig.from(settings, "files-logs").folder(DATA))
        .isEqualTo(Path.of("data/shipped-logs"));
  }

  @Test
  void from_everythingGiven_isTaken() {
    Map<String, String> given = new HashMap<>();
    given.put("ship.files-a.folder", "/lake");
    given.put("ship.files-a.format", "parquet");
    given.put("ship.files-a.file-age-max", "1 min");
    given.put("ship.files-a.file-bytes-max", "1 MiB");
    given.put("ship.files-a.streams", "logs");
    Settings settings = new Settings(given);
    FilesConfig config = FilesConfig.from(settings, "files-a");
    settings.finish();
    assertThat(config)
        .isEqualTo(
            new FilesConfig(
                config.common(),
                Path.of("/lake"),
                Format.PARQUET,
                Duration.ofMinutes(1),
                1L << 20));
    assertThat(config.common().name()).isEqualTo("files-a");
    assertThat(config.common().streams()).containsExactly(Stream.LOGS);
    assertThat(config.folder(DATA)).isEqualTo(Path.of("/lake"));
  }

  @Test
  void page_hasEveryKeyOfItsOwn() throws IOException {
    Settings settings = new Settings(Map.of());
    SinkConfig.from(settings, "files", FilesConfig.LIMITS, 1, EnumSet.allOf(Stream.class));
    Set<String> common = Set.copyOf(settings.effective().keySet());
    FilesConfig.from(settings, "files");
    String page = Files.readString(Repository.root().resolve("docs/sinks.md"));
    settings.effective().keySet().stream()
        .filter(key -> !common.contains(key))
        .forEach(key -> assertThat(page).contains("| `" + key.substring(11) + "` |"));
  }
}
