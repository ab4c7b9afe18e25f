package gilmok.deliveries.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RecentSpeedsTest {
  private static final long NOW = 1_790_000_000_000L;
  private static final double METRE = 1 / 111_195.0;
  private final RecentSpeeds speeds = new RecentSpeeds();

  private static RiderFix at(double metres, long seconds) {
    return new RiderFix(37.5 + metres * METRE, 127, Double.NaN, NOW + 1000 * seconds);
  }

  @Test
  void note_tooLittleTime_isNotKnown() {
    assertThat(speeds.note("r", at(0, 0), at(300, 60))).isNaN();
  }

  @Test
  void note_sinceItBegan_isWayOverTime() {
    double speed = speeds.note("r", at(0, 0), at(1000, 200));
    assertThat(speed).isCloseTo(ArrivalEstimate.DETOUR * 5, within(0.01));
  }

  @Test
  void note_forgetsWhatIsLongAgo() {
    for (int minute = 1; minute <= 30; minute++) {
      speeds.note("r", at(0, 0), at(600.0 * minute, 60L * minute));
    }
    double slow = 0;
    for (int minute = 31; minute <= 45; minute++) {
      slow = speeds.note("r", at(0, 0), at(18_000 + 60.0 * (minute - 30), 60L * minute));
    }
    assertThat(slow).isCloseTo(ArrivalEstimate.DETOUR * 1, within(0.05));
  }

  @Test
  void note_anotherRider_isAnother() {
    speeds.note("a", at(0, 0), at(1000, 100));
    assertThat(speeds.note("b", at(0, 0), at(100, 100)))
        .isCloseTo(ArrivalEstimate.DETOUR, within(0.01));
  }
}
