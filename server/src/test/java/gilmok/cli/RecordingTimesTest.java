package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class RecordingTimesTest {
  @ParameterizedTest
  @CsvSource({
    "2008-10-23T02:53:04Z, 1224730384000",
    "2008-10-23 02:53:04, 1224730384000",
    "2008-10-23T02:53:04, 1224730384000",
    "2008-10-23T02:53:04.250Z, 1224730384250",
    "2008-10-23T11:53:04+09:00, 1224730384000",
    "1224730384, 1224730384000",
    "1224730384.25, 1224730384250",
    "1224730384000, 1224730384000",
  })
  void millis_everyForm_isTheSameMoment(String text, long millis) {
    assertThat(RecordingTimes.millis(text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "2008-13-01T00:00:00Z", "12:30", "--5"})
  void millis_nonsense_isUnknown(String text) {
    assertThat(RecordingTimes.millis(text)).isEqualTo(ReplayPace.UNKNOWN);
  }
}
