package gilmok.event;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys in a caller's text are never stored, in whatever form they are written. */
@Tag("unit")
final class HiddenKeyTest {
  private static final Pattern KEY = Pattern.compile("(?i)gk_[a-z0-9]*_([a-z0-9][a-z0-9_]{15,})");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"key\":\"s3cret\",\"a\":1} | {\"key\":\"***\",\"a\":1}",
        "{\"key\" :  \"a\\\"b\" } | {\"key\" :  \"***\" }",
        "{\"key\":17,\"b\":2} | {\"key\":\"***\",\"b\":2}",
        "[{\"key\":1}] | [{\"key\":\"***\"}]",
        "{\"key\":{\"key\":\"x\",\"n\":\"}\"},\"b\":1} | {\"key\":\"***\",\"b\":1}",
        "{\"key\":[\"a\",{\"b\":[1]}] ,\"b\":1} | {\"key\":\"***\" ,\"b\":1}",
        "{\"key\":[\"cut\",{\"off | {\"key\":\"***\"",
        "{\"k\\u0065y\":\"x\"} | {\"k\\u0065y\":\"***\"}",
        "{\"x\":\"g\\u006b_ab\\u0063_defg\"} | {\"x\":\"***\"}",
        "{\"g\\u006B_abc_defg\":1} | {\"***\":1}",
        "g=g%6b%5Fabc_defg&lat=1 | g=***&lat=1",
        "id=1&%67k_abc_defg=1&lat=2 | id=1&***=1&lat=2",
        "id=1&ke%79=plain&lat=2 | id=1&ke%79=***&lat=2",
        "gk_a1_b2gk_c3_d4. | ***.",
        "GK_A1_B2 | ***",
        "{\"a\":{\"b\":[{\"key\":\"x\"}]}} | {\"a\":{\"b\":[{\"key\":\"***\"}]}}",
        "{\"note\":\"gk_abcdefghijkl_mnop\"} | {\"note\":\"***\"}",
        "{\"u\":\"https://x/?id=1&key=abc&lat=2\"} | {\"u\":\"https://x/?id=1&key=***&lat=2\"}",
        "id=7&key=gk_a_b&lat=1 | id=7&key=***&lat=1",
        "key=abc | key=***",
        "two gk_a1_b2, gk_c3_d4. | two ***, ***.",
        "{\"key\":\"cut off | {\"key\":\"***\"",
      })
  void key_isHidden(String given, String kept) {
    assertThat(hidden(given)).isEqualTo(kept);
    assertThat(hidden("é" + given)).endsWith(kept.startsWith("key=") ? given : kept);
    byte[] bytes = given.getBytes(UTF_8);
    assertThat(HiddenKey.mayBeIn(bytes, 0, bytes.length)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "k",
        "key",
        "\"key\"",
        "\"key\":",
        "{\"key\":}",
        "key=",
        "{\"keys\":1,\"monkey\":2,\"keyboard\":\"x\"}",
        "monkey=3&turkey=4",
        "gk_",
        "gk__",
        "gk_a",
        "gk_a_",
        "{\"text\":\"the \\\"key\\\": under the mat\"}",
        "{\"text\":\"\\\\u0067k_a_b\"}",
        "100%67",
        "%6",
        "\\u006",
      })
  void noKey_staysAsItIs(String given) {
    assertThat(hidden(given)).isEqualTo(given);
  }

  private static String hidden(String given) {
    byte[] bytes = given.getBytes(UTF_8);
    JsonBuffer out = new JsonBuffer();
    HiddenKey.hide(bytes, 0, bytes.length, out);
    return new String(out.copy(), UTF_8);
  }

  /** The search by eight bytes hides the same as a search byte by byte, wherever the key begins. */
  @Test
  void inPlace_atAnyPlace_isWhatOneByteAtATimeHides() {
    String letters = "gGkK_a0~é";
    Seeds.each(
        2_000,
        seed -> {
          Random random = new Random(seed);
          StringBuilder text = new StringBuilder();
          for (int left = random.nextInt(60); left > 0; left--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
          }
          text.append("gk_abcdefghijkl_0123456789abcdefghij");
          for (int left = random.nextInt(30); left > 0; left--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
          }
          byte[] bytes = text.toString().getBytes(UTF_8);
          int from = random.nextInt(bytes.length);
          int to = from + random.nextInt(bytes.length - from + 1);
          byte[] expected = bytes.clone();
          hideSlowly(expected, from, to);
          HiddenKey.in(bytes, from, to);
          assertThat(bytes).as("%s from %d to %d", text, from, to).isEqualTo(expected);
        });
  }

  private static void hideSlowly(byte[] bytes, int from, int to) {
    String text = new String(bytes, from, to - from, ISO_8859_1);
    Matcher keys = KEY.matcher(text);
    while (keys.find()) {
      Arrays.fill(bytes, from + keys.start(1), from + keys.end(1), (byte) '*');
    }
  }
}
