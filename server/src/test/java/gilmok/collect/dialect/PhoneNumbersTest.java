package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class PhoneNumbersTest {
  private static final Pattern ANY = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern JSON = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.5, -0.5",
    "+5, 5",
    "007, 7",
    ".5, 0.5",
    "5., 5",
    "1e3, 1000",
    "1E-2, 0.01",
    "' 37.5 ', 37.5"
  })
  void of_number_isThat(String text, double number) {
    assertThat(PhoneNumbers.of(text)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "+",
        ".",
        "-.",
        "e5",
        "1e",
        "1e+",
        "1 2",
        "37,5",
        "NaN",
        "Infinity",
        "1d",
        "1f",
        "0x10",
        "0x1p3",
        "1e999",
        "\uff11",
        "1_000",
        "--1",
        "1.2.3"
      })
  void of_noNumber_isNaN(String text) {
    assertThat(PhoneNumbers.of(text)).isNaN();
    assertThat(PhoneNumbers.isJson(text)).isFalse();
  }

  @Test
  void of_moreThan64Digits_isNaN() {
    assertThat(PhoneNumbers.of("1".repeat(64))).isFinite();
    assertThat(PhoneNumbers.of("1".repeat(65))).isNaN();
  }

  @Test
  void of_randomTexts_sameAsTheGrammar() {
    Random random = new Random(9);
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(8); j >= 0; j--) {
        text.append("0012345+-.eE".charAt(random.nextInt(12)));
      }
      String number = text.toString();
      double expected = ANY.matcher(number).matches() ? Double.parseDouble(number) : Double.NaN;
      boolean isFinite = Double.isFinite(expected);
      assertThat(Double.compare(PhoneNumbers.of(number), isFinite ? expected : Double.NaN))
          .isZero();
      assertThat(PhoneNumbers.isJson(number))
          .as(number)
          .isEqualTo(isFinite && JSON.matcher(number).matches());
    }
  }
}
