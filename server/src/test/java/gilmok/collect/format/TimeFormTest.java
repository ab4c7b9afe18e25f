package gilmok.collect.format;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.dialect.PhoneTimes;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class TimeFormTest {
  private static final ZoneId SEOUL = ZoneId.of("Asia/Seoul");

  private static TimeForm pattern(String pattern, ZoneId zone) {
    return new TimeForm(0, DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH), zone);
  }

  private static @Nullable String text(long millis) {
    return millis == PhoneTimes.NOT_A_TIME ? null : Instant.ofEpochMilli(millis).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MM-dd HH:mm:ss, 2026-07-26 17:00:01, 2026-07-26T08:00:01Z",
    "dd/MM/uuuu HH:mm, 26/07/2026 17:00, 2026-07-26T08:00:00Z",
    "yyyyMMddHHmmssSSS, 20260726170001250, 2026-07-26T08:00:01.250Z",
    "yyyy-MM-dd'T'HH:mm:ssXXX, 2026-07-26T17:00:01+02:00, 2026-07-26T15:00:01Z",
    "d MMM yyyy HH:mm, 6 Jul 2026 17:00, 2026-07-06T08:00:00Z"
  })
  void of_text_byItsPattern(String pattern, String sent, String meant) {
    assertThat(text(pattern(pattern, SEOUL).of(sent))).isEqualTo(meant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "2026-13-01 00:00:00",
        "2026-02-30 00:00:00",
        "2026-07-26 24:00:00",
        "2026-07-26 23:60:00",
        "2026-07-26 23:00:61",
        "2026-07-26 23:00:00 ",
        "2026-07-26"
      })
  void of_textThatIsNoTime_isNone(String sent) {
    boolean isBlankAtTheEnd = sent.endsWith(" ");
    long millis = pattern("yyyy-MM-dd HH:mm:ss", ZoneOffset.UTC).of(sent);
    assertThat(millis == PhoneTimes.NOT_A_TIME).isEqualTo(!isBlankAtTheEnd);
  }

  @Test
  void of_iso_withoutOffsetIsOfTheZone() {
    TimeForm form = new TimeForm(0, null, SEOUL);
    assertThat(text(form.of("2026-07-26T17:00:01"))).isEqualTo("2026-07-26T08:00:01Z");
    assertThat(text(form.of("2026-07-26 17:00:01.5"))).isEqualTo("2026-07-26T08:00:01.500Z");
    assertThat(text(form.of("2026-07-26T17:00:01Z"))).isEqualTo("2026-07-26T17:00:01Z");
    assertThat(text(form.of("2026-07-26T17:00:01+0200"))).isEqualTo("2026-07-26T15:00:01Z");
    assertThat(text(form.of("yesterday"))).isNull();
  }

  @Test
  void of_number_inItsUnit() {
    assertThat(text(new TimeForm(1, null, ZoneOffset.UTC).of(1_785_052_800.25)))
        .isEqualTo("2026-07-26T08:00:00.250Z");
    assertThat(text(new TimeForm(1e6, null, ZoneOffset.UTC).of("1785052800000000")))
        .isEqualTo("2026-07-26T08:00:00Z");
    assertThat(text(TimeForm.USUAL.of("1785052800"))).isEqualTo("2026-07-26T08:00:00Z");
    assertThat(text(TimeForm.USUAL.of(-1))).isNull();
    assertThat(text(new TimeForm(1, null, ZoneOffset.UTC).of(Double.NaN))).isNull();
  }

  @Test
  void of_asJavaWritesTimes() {
    long noon = Instant.parse("2026-11-26T15:00:00Z").toEpochMilli();
    assertThat(TimeForm.USUAL.of("2026-11-26T15:00")).isEqualTo(noon);
    assertThat(TimeForm.USUAL.of("2026-11-26T15:00Z")).isEqualTo(noon);
    assertThat(TimeForm.USUAL.of("2026-11-27T00:00+09:00[Asia/Seoul]")).isEqualTo(noon);
    assertThat(TimeForm.USUAL.of("2026-11-27T00:00:00.5+09:00[Asia/Seoul]")).isEqualTo(noon + 500);
    TimeForm seoul = new TimeForm(0, null, ZoneId.of("Asia/Seoul"));
    assertThat(seoul.of("2026-11-27T00:00")).isEqualTo(noon);
    for (String none : List.of("2026-11-26T25:00", "2026-11-26T15", "2026-11-26T15:00[", "x")) {
      assertThat(TimeForm.USUAL.of(none)).as(none).isEqualTo(PhoneTimes.NOT_A_TIME);
    }
  }
}
