package gilmok.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.config.SettingsSources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class AuthConfigTest {
  @Test
  void of_nothingGiven_defaults() {
    Settings settings = new Settings(Map.of());

    assertThat(AuthConfig.of(settings))
        .isEqualTo(new AuthConfig(null, 10_000, Duration.ofDays(30), List.of(), 0));
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @Test
  void of_allGiven_fullMapping() {
    Settings settings =
        new Settings(
            Map.of(
                "admin-key",
                "!0123456789abcd~",
                "auth.keys-max",
                "5",
                "auth.session-lifetime",
                "8 h"));

    assertThat(AuthConfig.of(settings))
        .isEqualTo(new AuthConfig("!0123456789abcd~", 5, Duration.ofHours(8), List.of(), 0));
    assertThatCode(settings::finish).doesNotThrowAnyException();
    assertThat(settings.effective()).containsEntry("admin-key", "********");
  }

  @Test
  void of_adminKeyInTheEnvironment_taken() {
    Settings settings =
        new Settings(
            new SettingsSources().environment(Map.of("GILMOK_ADMIN_KEY", "0123456789abcdef")));

    AuthConfig config = AuthConfig.of(settings);

    assertThat(config.adminKey()).isEqualTo("0123456789abcdef");
    assertThat(config.toString()).doesNotContain("0123456789abcdef");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0123456789abcde",
        "0123456789 abcdef",
        "0123456789abcdé",
        "\t0123456789abc\u007fdefg"
      })
  void of_adminKeyShortOrNotVisible_problemThatDoesNotShowIt(String key) {
    Settings settings = new Settings(Map.of("admin-key", key));

    AuthConfig.of(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .containsExactly("admin-key: needs 16 to 256 visible ASCII characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "aaaaaaaaaaaaaaaa",
        "passwordpassword",
        "abcabcabcabcabcabcabc",
        "12121212345345121"
      })
  void of_adminKeyOfFewCharacters_isRefused(String key) {
    Settings settings = new Settings(Map.of("admin-key", key));

    AuthConfig.of(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .singleElement()
        .asString()
        .startsWith("admin-key: needs at least 8 different characters")
        .doesNotContain(key);
  }

  @Test
  void of_sessionSecrets_theFirstSeals() {
    String newest = "the-newest-of-all-session-secrets";
    String accepted = "one-that-other-nodes-seal-with-still";
    Settings settings =
        new Settings(
            Map.of("auth.session-secret", newest, "auth.session-secret-accepted", accepted));

    AuthConfig config = AuthConfig.of(settings);

    assertThat(config.sessionSecrets()).containsExactly(newest, accepted);
    assertThat(config.toString()).doesNotContain(newest).doesNotContain(accepted);
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @Test
  void of_sessionSecretShortOrAlone_problem() {
    Settings settings = new Settings(Map.of("auth.session-secret-accepted", "x".repeat(31)));

    AuthConfig.of(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .containsExactlyInAnyOrder(
            "auth.session-secret-accepted: has less than 32 characters",
            "auth.session-secret-accepted: needs auth.session-secret beside it");
  }

  @Test
  void of_adminKeyTooLong_problem() {
    Settings settings = new Settings(Map.of("admin-key", "0123456789".repeat(26)));

    AuthConfig.of(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems()).hasSize(1);
  }
}
