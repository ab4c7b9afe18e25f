package gilmok.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class SettingsTest {
  private enum Policy {
    REFUSE,
    NEW_ID
  }

  @Test
  void ask_nothingGiven_fallbacks() {
    Settings settings = new Settings(Map.of());

    assertThat(settings.text("a.text", "x")).isEqualTo("x");
    assertThat(settings.optionalText("a.optional")).isNull();
    assertThat(settings.secret("a.secret")).isNull();
    assertThat(settings.number("a.number", 7, 1, 9)).isEqualTo(7);
    assertThat(settings.bytes("a.bytes", "2 KiB", 0, 4096)).isEqualTo(2048);
    assertThat(settings.duration("a.span", "3 s", Duration.ZERO, Duration.ofMinutes(1)))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.flag("a.flag", true)).isTrue();
    assertThat(settings.choice("a.choice", Policy.REFUSE)).isEqualTo(Policy.REFUSE);
    assertThat(settings.words("a.words")).isEmpty();
    assertThatCode(settings::finish).doesNotThrowAnyException();
    assertThat(settings.effective())
        .containsEntry("a.bytes", "2 KiB")
        .containsEntry("a.secret", "")
        .containsEntry("a.secret-file", "")
        .hasSize(10);
  }

  @Test
  void ask_allGiven_theirValues() {
    Settings settings =
        new Settings(
            Map.of(
                "a.text", "y",
                "a.optional", "z",
                "a.secret", "hidden",
                "a.number", "-3",
                "a.bytes", "1.5 MiB",
                "a.span", "250ms",
                "a.flag", "false",
                "a.choice", "new-id",
                "a.words", "one, two  three,"));

    assertThat(settings.text("a.text", "x")).isEqualTo("y");
    assertThat(settings.optionalText("a.optional")).isEqualTo("z");
    assertThat(settings.secret("a.secret")).isEqualTo("hidden");
    assertThat(settings.number("a.number", 7, -5, 9)).isEqualTo(-3);
    assertThat(settings.bytes("a.bytes", "0", 0, 1L << 40)).isEqualTo(3 << 19);
    assertThat(settings.duration("a.span", "3 s", Duration.ZERO, Duration.ofDays(1)))
        .isEqualTo(Duration.ofMillis(250));
    assertThat(settings.flag("a.flag", true)).isFalse();
    assertThat(settings.choice("a.choice", Policy.REFUSE)).isEqualTo(Policy.NEW_ID);
    assertThat(settings.words("a.words")).containsExactly("one", "two", "three");
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "17 B, 17",
    "1 KiB, 1024",
    "1kb, 1000",
    "2 MB, 2000000",
    "0.5 GiB, 536870912",
    "1 TiB, 1099511627776",
    "3 gb, 3000000000"
  })
  void bytes_eachUnit_read(String text, long expected) {
    Settings settings = new Settings(Map.of("k", text));

    assertThat(settings.bytes("k", "1", 0, Long.MAX_VALUE)).isEqualTo(expected);
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "0 s, 0",
    "1 ns, 1",
    "2 us, 2000",
    "1.5 ms, 1500000",
    "30s, 30000000000",
    "1 m, 60000000000",
    "1 min, 60000000000",
    "2 h, 7200000000000",
    "7 d, 604800000000000"
  })
  void duration_eachUnit_read(String text, long nanos) {
    Settings settings = new Settings(Map.of("k", text));

    assertThat(settings.duration("k", "1 s", Duration.ZERO, Duration.ofDays(10)))
        .isEqualTo(Duration.ofNanos(nanos));
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "5", "-1 s", "1 week", "0.5 ns", "1e3 s", "9999999999999999999 s"})
  void duration_unusable_refused(String text) {
    Settings settings = new Settings(Map.of("k", text));

    assertThat(settings.duration("k", "1 s", Duration.ZERO, Duration.ofDays(10)))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(problems(settings)).singleElement().asString().startsWith("k: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.3", "ten", "1 XB", "-1", "999999999999999 TiB", "1 KiB extra"})
  void bytes_unusable_refused(String text) {
    Settings settings = new Settings(Map.of("k", text));

    settings.bytes("k", "1", 0, Long.MAX_VALUE);

    assertThat(problems(settings)).singleElement().asString().startsWith("k: ");
  }

  @Test
  void ranges_bothEndsIn_beyondRefusedInTheWritersUnits() {
    Settings settings =
        new Settings(
            Map.of(
                "low", "1", "high", "9", "under", "0", "over", "10", "big", "65 KiB", "long",
                "25 h"));

    assertThat(settings.number("low", 5, 1, 9)).isEqualTo(1);
    assertThat(settings.number("high", 5, 1, 9)).isEqualTo(9);
    settings.number("under", 5, 1, 9);
    settings.number("over", 5, 1, 9);
    settings.bytes("big", "1 KiB", 1, 64 << 10);
    settings.duration("long", "1 h", Duration.ofMillis(100), Duration.ofDays(1));

    assertThat(problems(settings))
        .containsExactly(
            "under: 0 is not between 1 and 9",
            "over: 10 is not between 1 and 9",
            "big: 65 KiB is not between 1 B and 64 KiB",
            "long: 25 h is not between 100 ms and 1 d");
  }

  @Test
  void flagAndChoice_otherWords_refused() {
    Settings settings = new Settings(Map.of("flag", "yes", "choice", "NEW_ID"));

    settings.flag("flag", false);
    settings.choice("choice", Policy.REFUSE);

    assertThat(problems(settings))
        .containsExactly(
            "flag: \"yes\" is neither true nor false",
            "choice: \"NEW_ID\" is none of refuse, new-id");
  }

  @Test
  void finish_unknownKey_refusedWithTheNearest() {
    Settings settings = new Settings(Map.of("log.byte-max", "1", "quite.other", "1"));

    settings.bytes("log.bytes-max", "1", 1, 2);
    settings.text("log.folder", "");

    assertThat(problems(settings))
        .containsExactly(
            "log.byte-max: no such setting; did you mean log.bytes-max?",
            "quite.other: no such setting");
  }

  @Test
  void finish_oldName_refusedWithTheNewOne() {
    SettingsSources given =
        new SettingsSources()
            .file(Map.of("ship", Map.of("sinks", "files", "files", Map.of("folder", "/x"))))
            .option("log.repeats-max=7")
            .option("live.keep=1 d")
            .environment(Map.of("GILMOK_DOCUMENTS_MONGO_WAIT", "1 s", "GILMOK_SHIP_A_B", "1"));

    assertThat(problems(new Settings(given)))
        .containsExactlyInAnyOrder(
            "ship.sinks: is called sinks.enabled now",
            "ship.files.folder: is called sinks.files.folder now",
            "log.repeats-max: is called log.dedup-entries-max now",
            "live.keep: is called positions.keep now",
            "GILMOK_DOCUMENTS_MONGO_WAIT: is called GILMOK_DOCUMENTS_MONGO_ACQUIRE_TIMEOUT now",
            "GILMOK_SHIP_A_B: is called GILMOK_SINKS_A_B now");
  }

  @Test
  void finish_manyProblems_allTogether() {
    Settings settings = new Settings(Map.of("n", "x", "f", "maybe", "lgo", "1"));

    settings.number("n", 1, 1, 2);
    settings.flag("f", true);
    settings.text("log", "");
    settings.problem("n: must be under m");

    InvalidSettings refusal = catchThrowableOfType(InvalidSettings.class, settings::finish);
    assertThat(refusal.problems())
        .containsExactly(
            "n: cannot read \"x\" (an example: 1)",
            "f: \"maybe\" is neither true nor false",
            "n: must be under m",
            "lgo: no such setting; did you mean log?");
    assertThat(refusal).hasMessage(String.join("\n", refusal.problems()));
  }

  @Test
  void effective_secret_maskedHoweverItIsAsked() {
    Settings settings = new Settings(Map.of("secret", "s3cret", "text", "seen"));

    settings.secret("secret");
    settings.text("secret", "");
    settings.text("text", "");

    assertThat(settings.effective())
        .containsExactly(
            Map.entry("secret", "********"),
            Map.entry("secret-file", ""),
            Map.entry("text", "seen"));
  }

  @Test
  void ask_fallbackOutOfItsOwnRange_isABug() {
    Settings settings = new Settings(Map.of());

    assertThatThrownBy(() -> settings.number("n", 0, 1, 9))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> problems(Settings settings) {
    return catchThrowableOfType(InvalidSettings.class, settings::finish).problems();
  }

  @Test
  void changed_areThoseWithAnotherValueThanTheDefault() {
    Settings settings = new Settings(Map.of("a", "10", "b", "48 h", "c", "x", "d", "8", "e", "s"));
    settings.number("a", 10, 1, 100);
    settings.duration("b", "2 d", Duration.ofHours(1), Duration.ofDays(9));
    settings.text("c", "y");
    settings.number("d", 7, 1, 100);
    settings.secret("e");
    settings.text("f", "not given");

    assertThat(settings.changed())
        .as("the same amount, written in another way, is none")
        .containsExactly(entry("c", "x"), entry("d", "8"), entry("e", "********"));
  }
}
