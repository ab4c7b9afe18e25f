package gilmok.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class ProcessorShareTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  @Test
  void aThreadThatHardlyWaited_doesNotRest() {
    assertThat(ProcessorShare.restNanos(32 * MILLI, MILLI)).isZero();
  }

  @Test
  void theMoreItWaited_theLongerItRests_upToAFiftiethOfAProcessor() {
    long some = ProcessorShare.restNanos(32 * MILLI, 2 * MILLI);
    long more = ProcessorShare.restNanos(32 * MILLI, 4 * MILLI);
    assertThat(some).isEqualTo(100 * MILLI);
    assertThat(more).isEqualTo(300 * MILLI);
    assertThat(ProcessorShare.restNanos(MILLI, 9 * MILLI)).isEqualTo(49 * MILLI);
  }

  @Test
  void noRestIsLongerThanASecond() {
    assertThat(ProcessorShare.restNanos(100 * MILLI, 900 * MILLI)).isEqualTo(1000 * MILLI);
  }
}
