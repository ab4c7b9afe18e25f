package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class PhoneTimesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1767225600, 1767225600000",
    "1767225600.25, 1767225600250",
    "2147483646, 2147483646000",
    "2147483646.9999, 2147483647000",
    "2147483647, 2147483647",
    "1767225600000, 1767225600000",
    "1767225600000.6, 1767225600001"
  })
  void epoch_secondsBelow2147483647_elseMillis(double value, long millis) {
    assertThat(PhoneTimes.epoch(value)).isEqualTo(millis);
  }

  @Test
  void seconds_areNeverMillis() {
    assertThat(PhoneTimes.seconds(2147483648.0)).isEqualTo(2147483648000L);
    assertThat(PhoneTimes.seconds(1767225600.001)).isEqualTo(1767225600001L);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, -0.001, 1e16, 1e300, Double.NaN, Double.POSITIVE_INFINITY})
  void epoch_noTime_isNone(double value) {
    assertThat(PhoneTimes.epoch(value)).isEqualTo(PhoneTimes.NOT_A_TIME);
    assertThat(PhoneTimes.seconds(value)).isEqualTo(PhoneTimes.NOT_A_TIME);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-31T23:59:59Z, 2026-01-31T23:59:59Z",
    "2026-01-31T23:59:59.123Z, 2026-01-31T23:59:59.123Z",
    "2026-01-31 23:59:59, 2026-01-31T23:59:59Z",
    "2026-01-31T23:59:59.5, 2026-01-31T23:59:59.500Z",
    "'  2026-01-31T23:59:59 ', 2026-01-31T23:59:59Z",
    "2026-01-31T23:59:59+09:00, 2026-01-31T14:59:59Z",
    "2026-01-31T23:59:59-0700, 2026-02-01T06:59:59Z",
    "2026-01-31T23:59:59.000+0900, 2026-01-31T14:59:59Z",
    "2026-01-31T23:59:59+09, 2026-01-31T14:59:59Z",
    "2026-01-31T23:59:59.250 09:00, 2026-01-31T14:59:59.250Z"
  })
  void iso_asPhonesHaveIt_isThatInstant(String text, String instant) {
    assertThat(PhoneTimes.iso(text)).isEqualTo(Instant.parse(instant).toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-01-31",
        "2026-01-31T23:59Z",
        "2026-02-30T00:00:00Z",
        "2026-01-31T23:59:59+9",
        "2026-01-31T23:59:59+09000",
        "2026-01-31T23:59:59+",
        "2026-01-31T23:59:59.",
        "2026-01-31T23:59:59  09:00",
        "2026-01-31T23:59:59\u00e9",
        "\u00e92026-01-31T23:59:59",
        "\uff12026-01-31T23:59:59Z",
        "0000-00-00T00:00:00Z"
      })
  void iso_noTime_isNone(String text) {
    assertThat(PhoneTimes.iso(text)).isEqualTo(PhoneTimes.NOT_A_TIME);
  }

  @Test
  void iso_everyOffsetForm_sameAsJavaTime() {
    DateTimeFormatter colon = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxxx");
    DateTimeFormatter bare = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ssxx");
    Random random = new Random(5);
    for (int i = 0; i < 5_000; i++) {
      int minutes = random.nextInt(-17 * 60, 17 * 60);
      OffsetDateTime time =
          Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L))
              .atOffset(ZoneOffset.ofTotalSeconds(60 * minutes));
      long millis = time.toInstant().toEpochMilli();
      assertThat(PhoneTimes.iso(time.format(colon))).isEqualTo(millis);
      assertThat(PhoneTimes.iso(time.format(bare))).isEqualTo(Math.floorDiv(millis, 1000) * 1000);
    }
  }

  @Test
  void iso_anyCharacters_neverThrows() {
    Random random = new Random(6);
    String start = "2026-01-31T23:59:59.123+09:00";
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder(start.substring(0, random.nextInt(start.length())));
      for (int j = random.nextInt(20); j > 0; j--) {
        text.append("0123456789:-+.TZ \u00e9\uff10\ud800".charAt(random.nextInt(20)));
      }
      long millis = PhoneTimes.iso(text.toString());
      assertThat(millis == PhoneTimes.NOT_A_TIME || Math.abs(millis) < 1_000_000_000_000_000L)
          .isTrue();
    }
  }
}
