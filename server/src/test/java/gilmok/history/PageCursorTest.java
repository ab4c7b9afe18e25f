package gilmok.history;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
final class PageCursorTest {
  private static final PageCursor ONE =
      new PageCursor(7, 1_000, 2_000, "기수 1", new Place(1_999, -1, Long.MIN_VALUE));

  @Test
  void text_isReadAgain_butNotForAnotherQuestion() {
    assertThat(PageCursor.of(ONE.text(), 7)).isEqualTo(ONE);
    assertThat(PageCursor.of(ONE.text(), 8)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "%", "AAAA", "next", "AAAABwAAAAAAAAPoAAAAAAAAB9AAAAAAAAAD"})
  void whatIsNone_isNone(String text) {
    assertThat(PageCursor.of(text, 7)).isNull();
    assertThat(PageCursor.of("A".repeat(2000), 0)).isNull();
  }

  @Test
  void aPlaceOutsideItsTime_isNone() {
    assertThat(PageCursor.of(new PageCursor(7, 5, 6, "r", new Place(6, 0, 0)).text(), 7)).isNull();
    assertThat(PageCursor.of(new PageCursor(7, 5, 6, "r", new Place(4, 0, 0)).text(), 7)).isNull();
  }

  @Test
  void anyText_isACursorOrNone() throws Exception {
    Seeds.each(
        2_000,
        seed -> {
          Random random = new Random(seed);
          char[] text = ONE.text().toCharArray();
          for (int i = 0; i < 3; i++) {
            text[random.nextInt(text.length)] = (char) ('!' + random.nextInt(94));
          }
          PageCursor read = PageCursor.of(new String(text), 7);
          if (read != null) {
            assertThat(PageCursor.of(read.text(), 7)).isEqualTo(read);
          }
        });
  }
}
