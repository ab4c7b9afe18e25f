package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class ParametersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|``",
        "&|``",
        "&&a=1&&|a:1",
        "a|a:",
        "a=|a:",
        "=|:",
        "=b|:b",
        "a=b=c|a:b=c",
        "a=1&b=2&a=3|a:1 b:2 a:3",
        "%61%3D=%26|a=:&",
        "a=%EA%B8%B8|a:길",
        "a=%ea%b8%b8|a:길",
        "a=%|a:%",
        "a=%4|a:%4",
        "a=%4g|a:%4g",
        "a=%%41|a:%A",
        "a=100%&b=%zz|a:100% b:%zz",
        "a=1+2|a:1 2",
        "a=1%2B2|a:1+2",
        "a=%2541|a:%41",
        "a=1;b=2|a:1;b=2"
      })
  void of_text_hasTheseNamesAndValues(String text, String expected) {
    assertThat(shown(of(text))).isEqualTo(expected);
  }

  @Test
  void of_partOfAnArray_seesThatPartOnly() {
    byte[] bytes = "x=1&a=2%4&y=3".getBytes(StandardCharsets.UTF_8);
    assertThat(shown(Parameters.of(bytes, 4, 9))).isEqualTo("a:2%4");
    assertThat(shown(Parameters.of(bytes, 4, 4))).isEmpty();
  }

  @Test
  void of_whatAnotherEncoded_comesBack() {
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      String name =
          random
              .ints(random.nextInt(8), 1, 0xd7ff)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      String value = new StringBuilder(name).reverse() + "\ud83d\ude00";
      Parameters parameters = of(encoded(name) + "=" + encoded(value));
      assertThat(parameters.name(0)).isEqualTo(name);
      assertThat(parameters.value(0)).isEqualTo(value);
      assertThat(parameters.isText()).isTrue();
    }
  }

  @Test
  void of_moreThanTheBound_theFirstAreThere() {
    assertThat(of("a=1&".repeat(256)).isWhole()).isTrue();
    Parameters cut = of("a=1&".repeat(257));
    assertThat(cut.isWhole()).isFalse();
    assertThat(cut.count()).isEqualTo(256);
  }

  @ParameterizedTest
  @CsvSource({"a=%ff, false", "%c0%80=1, false", "a=%ed%a0%80, false", "a=%EA%B8%B8, true"})
  void isText_onlyOfUtf8(String text, boolean expected) {
    assertThat(of(text).isText()).isEqualTo(expected);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static Parameters of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Parameters.of(bytes, 0, bytes.length);
  }

  private static String shown(Parameters parameters) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < parameters.count(); i++) {
      shown.append(i == 0 ? "" : " ").append(parameters.name(i));
      shown.append(':').append(parameters.value(i));
    }
    return shown.toString();
  }
}
