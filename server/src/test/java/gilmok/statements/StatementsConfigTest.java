package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class StatementsConfigTest {
  @Test
  void defaults() {
    assertThat(StatementsConfig.from(new Settings(Map.of()), "KRW"))
        .isEqualTo(new StatementsConfig(ZoneId.of("Asia/Seoul"), "KRW", 256, 64, Duration.ZERO));
  }

  @Test
  void everyKey_isRead() {
    Settings settings =
        new Settings(
            Map.of(
                "fleet.zone", "Europe/Berlin",
                "statements.concurrency-max", "2",
                "statements.streams-max", "1",
                "statements.keep", "31 d"));
    StatementsConfig config = StatementsConfig.from(settings, "EUR");
    settings.finish();
    assertThat(config)
        .isEqualTo(
            new StatementsConfig(ZoneId.of("Europe/Berlin"), "EUR", 2, 1, Duration.ofDays(31)));
  }

  @Test
  void keptForTooShort_isAProblem() {
    Settings settings = new Settings(Map.of("statements.keep", "30 d"));
    StatementsConfig.from(settings, "KRW");
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("statements.keep: less than 31 d");
  }

  @Test
  void noZone_isAProblem() {
    Settings settings = new Settings(Map.of("fleet.zone", "Seoul"));
    StatementsConfig.from(settings, "KRW");
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("fleet.zone: \"Seoul\" is no time zone");
  }
}
