package gilmok.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class ByteRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, 1",
    "bytes=0-16383, 0, 1000",
    "BYTES=10-19, 10, 10",
    "bytes=999-, 999, 1",
    "bytes=990-999999999999999999, 990, 10",
    "bytes=-1, 999, 1",
    "bytes=-2000, 0, 1000"
  })
  void of_oneRange_thePartThatIsThere(String header, long from, long length) {
    assertThat(ByteRange.of(header, 1000)).isEqualTo(new ByteRange(from, length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=1000-", "bytes=1000-2000", "bytes=-0"})
  void of_nothingOfTheFile_isNotThere(String header) {
    assertThat(ByteRange.of(header, 1000)).isNotNull().matches(range -> !range.isThere());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=5-4",
        "bytes=-",
        "bytes=",
        "lines=0-1",
        "bytes=0-1,3-4",
        "bytes=a-b",
        "bytes=0x1-2",
        "bytes=0-1000000000000000000",
        "bytes 0-1",
        ""
      })
  void of_anythingElse_isIgnored(String header) {
    assertThat(ByteRange.of(header, 1000)).isNull();
  }

  @Test
  void of_none_isIgnored() {
    assertThat(ByteRange.of(null, 1000)).isNull();
  }

  @Test
  void cut_keepsTheBeginning() {
    ByteRange range = new ByteRange(100, 50).cut(20);
    assertThat(range.of(1000)).isEqualTo("bytes 100-119/1000");
    assertThat(new ByteRange(100, 5).cut(20).length()).isEqualTo(5);
  }
}
