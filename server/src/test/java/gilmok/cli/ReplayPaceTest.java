package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ReplayPaceTest {
  private final ReplayPace pace = new ReplayPace(10, Duration.ofSeconds(5));

  @Test
  void next_followsFixTimesDividedBySpeed() {
    assertThat(due(1_000_000)).isZero();
    assertThat(due(1_005_000)).isEqualTo(500);
    assertThat(due(1_006_000)).isEqualTo(600);
  }

  @Test
  void next_longGap_isShortened() {
    due(0);
    assertThat(due(3_600_000)).isEqualTo(5000);
    assertThat(due(3_601_000)).isEqualTo(5100);
  }

  @Test
  void next_jumpBack_waitsForNothingAndGoesOnFromThere() {
    due(0);
    due(10_000);
    assertThat(due(2_000)).isEqualTo(1000);
    assertThat(due(3_000)).isEqualTo(1100);
  }

  @Test
  void next_unknownTime_isDueWithItsPredecessor() {
    due(0);
    due(1_000);
    assertThat(due(ReplayPace.UNKNOWN)).isEqualTo(100);
    assertThat(due(2_000)).isEqualTo(200);
  }

  private long due(long atMillis) {
    return TimeUnit.NANOSECONDS.toMillis(pace.next(atMillis));
  }
}
