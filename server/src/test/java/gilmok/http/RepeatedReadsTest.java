package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class RepeatedReadsTest {
  private static final long MILLI = 1_000_000L;

  /** Around where the lower half of the milliseconds begins anew. */
  private static final long[] TIMES = {0, 5, -5000, (1L << 32) - 1, 1L << 31, 1L << 42};

  @Test
  void sameRead_isARepeat_forASecond() {
    for (long millis : TIMES) {
      RepeatedReads reads = new RepeatedReads();
      long now = millis * MILLI;
      assertThat(reads.isRepeat("1", "/a", now)).as("%d", millis).isFalse();
      assertThat(reads.isRepeat("1", "/a", now + 999 * MILLI)).as("%d", millis).isTrue();
      assertThat(reads.isRepeat("1", "/a", now + 1998 * MILLI)).as("%d", millis).isTrue();
      assertThat(reads.isRepeat("1", "/a", now + 3000 * MILLI)).as("%d", millis).isFalse();
    }
  }

  @Test
  void otherReads_areNone() {
    RepeatedReads reads = new RepeatedReads();
    int repeats = 0;
    for (int i = 0; i < 100 * RepeatedReads.PLACES; i++) {
      repeats += reads.isRepeat("" + i % 7, "/v1/riders/" + i, i) ? 1 : 0;
    }
    assertThat(repeats).isLessThan(3);
  }
}
