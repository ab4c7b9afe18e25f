package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class SettlingConfigTest {
  private static SettlingConfig of(Map<String, String> values) {
    Settings settings = new Settings(values);
    SettlingConfig config = SettlingConfig.from(settings);
    settings.finish();
    return config;
  }

  @Test
  void defaults() {
    assertThat(of(Map.of())).isEqualTo(SettlingConfig.DEFAULTS);
  }

  @Test
  void fullMapping() {
    assertThat(
            of(
                Map.of(
                    "missions.settle-queue-max", "500",
                    "missions.settle-writers", "4")))
        .isEqualTo(new SettlingConfig(500, 4));
  }

  @Test
  void outOfRange_isSaid() {
    assertThatThrownBy(() -> of(Map.of("missions.settle-queue-max", "99")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("missions.settle-queue-max");
  }

  @Test
  void shareOfOne_leavesAQuarter() {
    int[] writers = {1, 2, 3, 4, 5, 8, 16};
    int[] shares = {1, 1, 2, 3, 3, 6, 12};
    for (int i = 0; i < writers.length; i++) {
      assertThat(new SettlingConfig(1, writers[i]).ofOneMax()).isEqualTo(shares[i]);
    }
  }
}
