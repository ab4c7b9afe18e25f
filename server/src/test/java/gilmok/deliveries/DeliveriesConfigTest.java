package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DeliveriesConfigTest {
  @Test
  void nothingGiven_isTheDefault() {
    assertThat(DeliveriesConfig.from(new Settings(Map.of())))
        .isEqualTo(new DeliveriesConfig(1024, "KRW", false, Duration.ZERO));
  }

  @Test
  void everythingGiven_isTaken() {
    assertThat(
            DeliveriesConfig.from(
                new Settings(
                    Map.of(
                        "deliveries.concurrency-max", "7",
                        "fleet.currency", "EUR",
                        "deliveries.keep", "400 d",
                        "deliveries.unsafe-actions-by-any-key", "true"))))
        .isEqualTo(new DeliveriesConfig(7, "EUR", true, Duration.ofDays(400)));
  }

  @Test
  void keptForLessThanAWeek_isAProblem_asKeysAndActionsStillReferToThem() {
    Settings settings = new Settings(Map.of("deliveries.keep", "6 d"));
    DeliveriesConfig.from(settings);
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("deliveries.keep: less than 7 d");
  }

  @Test
  void noCurrency_isAProblem() {
    Settings settings = new Settings(Map.of("fleet.currency", "won"));
    DeliveriesConfig.from(settings);
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("fleet.currency");
  }
}
