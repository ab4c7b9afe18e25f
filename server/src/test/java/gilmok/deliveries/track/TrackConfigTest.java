package gilmok.deliveries.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TrackConfigTest {
  private static TrackConfig of(String key, String value) {
    Settings settings = new Settings(Map.of(key, value));
    TrackConfig config = TrackConfig.from(settings);
    settings.finish();
    return config;
  }

  @Test
  void from_aSecret_isShownNowhere() {
    Settings settings = new Settings(Map.of("track.secret", "the-secret-of-all-links"));
    TrackConfig config = TrackConfig.from(settings);
    assertThat(config.secret()).isEqualTo("the-secret-of-all-links");
    assertThat(config.toString()).doesNotContain("the-secret");
    assertThat(settings.effective().toString()).doesNotContain("the-secret");
  }

  @Test
  void from_wrong_isSaid() {
    assertThatThrownBy(() -> of("track.secret", "short"))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("track.secret: has less than 16 characters")
        .hasMessageNotContaining("short");
    assertThatThrownBy(() -> of("track.url", "example.com"))
        .hasMessageContaining("track.url: \"example.com\" is no http or https URL");
    assertThat(of("track.url", "https://t.example.com/").url()).isEqualTo("https://t.example.com");
  }
}
