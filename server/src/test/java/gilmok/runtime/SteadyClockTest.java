package gilmok.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A leap of the machine's clock is followed only if it lasts; drift is followed at once. */
@Tag("unit")
final class SteadyClockTest {
  private static final long BEGIN = 1_790_000_000_000L;
  private static final long HOUR = 3_600_000;

  private long machine = BEGIN;
  private long nanos = 77;
  private final InstantSource source = () -> Instant.ofEpochMilli(machine);
  private final SteadyClock clock = new SteadyClock(source, () -> nanos);

  private void pass(long millis) {
    machine += millis;
    nanos += millis * 1_000_000;
  }

  @Test
  void time_passes_asTheMachinesClockSays() {
    for (int i = 0; i < 1_000; i++) {
      pass(1_000);
      machine += 10; // slewed by a hundredth: more than any machine drifts
      assertThat(clock.millis()).isEqualTo(machine);
      assertThat(clock.instant()).isEqualTo(Instant.ofEpochMilli(machine));
    }
  }

  @Test
  void leap_thatIsOverSoon_isNotFollowed() {
    for (long leap : new long[] {HOUR, -HOUR, 5_000}) {
      machine += leap;
      for (int i = 0; i < 4; i++) {
        assertThat(clock.millis()).isEqualTo(machine - leap);
        pass(1_000);
      }
      machine -= leap;
      assertThat(clock.millis()).isEqualTo(machine);
    }
  }

  @Test
  void leap_thatStays_isFollowedAfterAWhile() {
    for (long leap : new long[] {HOUR, -HOUR}) {
      machine += leap;
      assertThat(clock.millis()).isEqualTo(machine - leap);
      pass(SteadyClock.PATIENCE.toMillis());
      assertThat(clock.millis()).isEqualTo(machine);
      pass(1_000);
      assertThat(clock.millis()).isEqualTo(machine);
    }
  }

  @Test
  void leap_afterALeap_beginsToCountAnew() {
    machine += HOUR;
    assertThat(clock.millis()).isEqualTo(BEGIN);
    pass(4_000);
    machine += HOUR;
    assertThat(clock.millis()).isEqualTo(BEGIN + 4_000);
    pass(4_000);
    assertThat(clock.millis()).isEqualTo(BEGIN + 8_000);
    pass(1_000);
    assertThat(clock.millis()).isEqualTo(machine);
  }
}
