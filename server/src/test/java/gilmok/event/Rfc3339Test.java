package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class Rfc3339Test {
  @ParameterizedTest
  @CsvSource({
    "2008-10-23T02:53:04Z, 2008-10-23T02:53:04Z",
    "2008-10-23t02:53:04z, 2008-10-23T02:53:04Z",
    "2008-10-23 11:53:04+09:00, 2008-10-23T02:53:04Z",
    "2008-10-23T00:53:04.5-02:00, 2008-10-23T02:53:04.500Z",
    "2008-10-23T02:53:04.1239999999Z, 2008-10-23T02:53:04.123Z",
    "2016-12-31T23:59:60Z, 2016-12-31T23:59:59.999Z",
    "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z"
  })
  void parse_tolerated_isThatInstant(String text, String instant) {
    assertThat(parse(text)).isEqualTo(Instant.parse(instant).toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2008-10-23",
        "2008-10-23T02:53:04",
        "2008-10-23T02:53:04+0900",
        "2008-10-23T24:00:00Z",
        "2008-10-23T02:60:00Z",
        "2008-10-23T02:53:61Z",
        "2023-02-29T00:00:00Z",
        "2008-00-23T00:00:00Z",
        "2008-10-00T00:00:00Z",
        "2008-10-23T02:53:04.Z",
        "2008-10-23T02:53:04Z ",
        "2008-10-23T02:53:04+24:00",
        "2oo8-10-23T02:53:04Z"
      })
  void parse_noTime_isRefused(String text) {
    assertThat(parse(text)).isEqualTo(Rfc3339.NOT_A_TIME);
  }

  /** Compares both readers and the writer with java.time for every day of the range. */
  @Test
  void parse_everyDay_sameAsJavaTime() {
    Rfc3339 times = new Rfc3339();
    byte[] bytes = new byte[64];
    byte[] written = new byte[32];
    long millis = 0;
    for (int i = 0; millis < 4_133_980_800_000L; i++) {
      String text = Instant.ofEpochMilli(millis).toString();
      byte[] quoted = (text + '"').getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(quoted, 0, bytes, 0, quoted.length);
      int end = Rfc3339.write(written, 0, millis);
      boolean same =
          times.parseQuoted(bytes, 0) == millis
              && Rfc3339.quotedLength(bytes, 0) == text.length()
              && Rfc3339.parse(bytes, 0, text.length()) == millis
              && new String(written, 0, end, StandardCharsets.US_ASCII).equals(text);
      if (!same) {
        throw new AssertionError(text);
      }
      millis += 86_400_000L / 2 + 61_001 + (i % 3 == 0 ? 998 : 0) - (millis % 7);
    }
  }

  /** With one wrong byte anywhere, the fast reader refuses, or reads what the plain one reads. */
  @Test
  void parseQuoted_everyWrongByte_sameAsParse() {
    for (String text : new String[] {"2024-02-29T23:59:59Z\"", "2024-02-29T23:59:59.123Z\""}) {
      for (int at = 0; at < text.length(); at++) {
        for (int b = 0; b < 256; b++) {
          byte[] bytes = new byte[64];
          System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, text.length());
          bytes[at] = (byte) b;
          long fast = new Rfc3339().parseQuoted(bytes, 0);
          if (fast != Rfc3339.NOT_A_TIME) {
            int length = Rfc3339.quotedLength(bytes, 0);
            assertThat(Rfc3339.parse(bytes, 0, length)).isEqualTo(fast);
            assertThat(bytes[length]).isEqualTo((byte) '"');
          }
        }
      }
    }
  }

  private static long parse(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return Rfc3339.parse(bytes, 0, bytes.length);
  }
}
