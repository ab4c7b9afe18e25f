package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class PrivacyConfigTest {
  private static final String SECRET = "a secret of all nodes";

  private static PrivacyConfig read(Map<String, String> given) {
    Settings settings = new Settings(given);
    PrivacyConfig read = PrivacyConfig.from(settings);
    settings.finish();
    return read;
  }

  @Test
  void defaults() {
    PrivacyConfig read = read(Map.of());
    assertThat(read)
        .isEqualTo(
            new PrivacyConfig(
                "",
                5_000_000,
                true,
                Duration.ofDays(400),
                256L << 20,
                read.bases(),
                ZoneId.of("Asia/Seoul")));
    assertThat(read.bases().of(List.of(Use.values()))).isEqualTo("contract");
    assertThat(read.risk()).isNull();
  }

  @Test
  void everything() {
    PrivacyConfig read =
        read(
            Map.ofEntries(
                Map.entry("privacy.pseudonym-secret", SECRET),
                Map.entry("privacy.consents-max", "7"),
                Map.entry("privacy.register", "true"),
                Map.entry("privacy.register-retention", "200 d"),
                Map.entry("privacy.register-waiting-max", "2 MiB"),
                Map.entry("privacy.basis", "law"),
                Map.entry("privacy.dispatch-basis", "d"),
                Map.entry("privacy.customer-basis", "c"),
                Map.entry("privacy.history-basis", "h"),
                Map.entry("privacy.partner-basis", "p"),
                Map.entry("privacy.sink-basis", "s"),
                Map.entry("privacy.copy-basis", "y"),
                Map.entry("fleet.zone", "UTC")));
    assertThat(read)
        .isEqualTo(
            new PrivacyConfig(
                SECRET,
                7,
                true,
                Duration.ofDays(200),
                2 << 20,
                new Bases(
                    "law",
                    Map.of(
                        Use.DISPATCH, "d",
                        Use.CUSTOMER, "c",
                        Use.HISTORY, "h",
                        Use.PARTNER, "p",
                        Use.SINK, "s",
                        Use.COPY, "y")),
                ZoneId.of("UTC")));
    assertThat(read.toString()).doesNotContain(SECRET);
    assertThat(read.ofShadow().toString()).isEqualTo(read.toString());
    assertThat(read.ofShadow().pseudonymSecret())
        .as("a warm-up makes pseudonyms of its own")
        .isEmpty();
  }

  @Test
  void wrongValues_areNamedTogether() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of(
                        "privacy.pseudonym-secret", "short",
                        "privacy.consents-max", "0",
                        "privacy.register", "maybe",
                        "privacy.register-retention", "1 h",
                        "privacy.register-waiting-max", "1 KiB",
                        "privacy.basis", " ",
                        "privacy.copy-basis", "x".repeat(65))))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContainingAll(
            "privacy.pseudonym-secret",
            "privacy.consents-max",
            "privacy.register:",
            "privacy.register-retention",
            "privacy.register-waiting-max",
            "privacy.basis: needs 1 to 64 characters",
            "privacy.copy-basis: needs 1 to 64 characters");
  }

  /** Korea's location law wants what was collected, used and given kept for six months. */
  @Test
  void risk_isToKeepTheRegisterForLessThanSixMonths() {
    assertThat(risk("182 d"))
        .isEqualTo(
            "privacy.register-retention is 182 d: Korea's location law wants six months (183 d) at"
                + " least");
    assertThat(risk("1 d")).startsWith("privacy.register-retention is 1 d:");
    assertThat(risk("183 d")).isNull();
    assertThat(
            read(Map.of("privacy.register-retention", "1 d", "privacy.register", "false")).risk())
        .as("none is kept")
        .isNull();
  }

  private static @Nullable String risk(String retention) {
    return read(Map.of("privacy.register-retention", retention)).risk();
  }
}
