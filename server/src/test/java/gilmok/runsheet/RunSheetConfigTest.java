package gilmok.runsheet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RunSheetConfigTest {
  @Test
  void nothingGiven_isTheDefault() {
    RunSheetConfig config = RunSheetConfig.from(new Settings(Map.of()));
    assertThat(config).isEqualTo(new RunSheetConfig(2, 64, RunSheetConfig.Place.CHILD));
    assertThat(config.childHeapMebibytes()).isEqualTo(576);
  }

  @Test
  void everythingGiven_isTaken() {
    Settings settings =
        new Settings(
            Map.of(
                "run-sheets.workers", "3",
                "run-sheets.queue-max", "0",
                "run-sheets.process", "inside"));
    assertThat(RunSheetConfig.from(settings))
        .isEqualTo(new RunSheetConfig(3, 0, RunSheetConfig.Place.INSIDE));
    settings.finish();
  }
}
