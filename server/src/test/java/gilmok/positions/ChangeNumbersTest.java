package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbers of changes only rise, also over a restart, whatever the clock does. */
@Tag("unit")
final class ChangeNumbersTest {
  private static final long NOW = 1_800_000_000_000L;

  @Test
  void ofALog_areItsSequences() {
    assertThat(ChangeNumbers.OF_LOG.next(7)).isEqualTo(7);
    assertThat(ChangeNumbers.OF_LOG.last(9)).isEqualTo(9);
  }

  @Test
  void ofANode_areCounted_whateverTheSequence() {
    ChangeNumbers numbers = ChangeNumbers.ofNode(NOW, 0);
    long first = numbers.next(1);
    assertThat(numbers.next(1)).isEqualTo(first + 1);
    assertThat(numbers.last(900)).isEqualTo(first + 1);
  }

  @Test
  void ofTheNextStart_areAboveAllBefore_alsoWithTheClockSetBack() {
    ChangeNumbers before = ChangeNumbers.ofNode(NOW, 0);
    long saved = before.next(0);
    for (int unsaved = 0; unsaved < 500; unsaved++) {
      before.next(0);
    }
    assertThat(ChangeNumbers.ofNode(NOW + 1, saved).next(0)).isGreaterThan(before.last(0));
    assertThat(ChangeNumbers.ofNode(NOW - 3_600_000, saved).next(0)).isGreaterThan(before.last(0));
  }

  /** A reader of streams keeps a number and an index of ten bits in 63 bits. */
  @Test
  void ofANode_fitWhatReadersKeep_forCenturies() {
    long year2250 = 8_835_000_000_000L;
    assertThat(ChangeNumbers.ofNode(year2250, 0).next(0)).isLessThan(1L << 53);
  }
}
