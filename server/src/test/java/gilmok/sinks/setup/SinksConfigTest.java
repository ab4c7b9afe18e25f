package gilmok.sinks.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class SinksConfigTest {
  private static final Map<String, String> SHARED =
      Map.of(
          "sinks.enabled", "files,files-b",
          "sinks.files.folder", "/x/out",
          "sinks.files-b.folder", "/x/y/../out");

  @Test
  void from_twoSinksOfTheSameFiles_isRefused() {
    InvalidSettings refused = catchThrowableOfType(InvalidSettings.class, () -> start(Map.of()));
    assertThat(refused.problems())
        .singleElement()
        .asString()
        .startsWith("sinks.files-b.folder: the sink files writes the same streams there");
  }

  @Test
  void from_oneFolderForOtherFormatsOrStreams_isTaken() {
    assertThat(start(Map.of("sinks.files-b.format", "parquet")).sinks()).hasSize(2);
    Map<String, String> parted =
        Map.of("sinks.files.streams", "logs", "sinks.files-b.streams", "traces");
    assertThat(start(parted).sinks()).hasSize(2);
  }

  private static SinksConfig start(Map<String, String> more) {
    Map<String, String> given = new HashMap<>(SHARED);
    given.putAll(more);
    Settings settings = new Settings(given);
    SinksConfig read = SinksConfig.from(settings);
    settings.finish();
    return read;
  }
}
