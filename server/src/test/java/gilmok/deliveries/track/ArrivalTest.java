package gilmok.deliveries.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gilmok.deliveries.Place;
import gilmok.geo.Distance;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalTest {
  private static final long NOW = 1_790_000_000_000L;
  private static final Fix HERE = new Fix(37.5, 127.0, Double.NaN, NOW);
  private static final Place DOOR = new Place(37.52, 127.0, "door", null);

  @Test
  void reckon_noStops_isWayOverSpeed() {
    double metres = Arrival.DETOUR * Distance.metres(37.5, 127.0, 37.52, 127.0);
    Arrival observed = Arrival.reckon(HERE, List.of(), DOOR, 6, NOW);
    assertThat(observed.expectedMillis() - NOW).isCloseTo((long) (1000 * metres / 6), within(2L));
    Arrival usual = Arrival.reckon(HERE, List.of(), DOOR, Double.NaN, NOW);
    assertThat(usual.expectedMillis() - NOW)
        .isCloseTo((long) (1000 * metres / Arrival.USUAL_SPEED), within(2L));
    assertThat(width(usual)).as("less is known").isGreaterThan(width(observed));
  }

  @Test
  void reckon_stopsBefore_takeLongerAndAreLessSure() {
    Arrival direct = Arrival.reckon(HERE, List.of(), DOOR, 6, NOW);
    Place onTheWay = new Place(37.51, 127.0, "stop", null);
    Arrival second = Arrival.reckon(HERE, List.of(onTheWay), DOOR, 6, NOW);
    assertThat(second.expectedMillis() - direct.expectedMillis()).isCloseTo(180_000, within(100L));
    assertThat(width(second)).isGreaterThan(width(direct));
    Place away = new Place(37.45, 127.0, "stop", null);
    Arrival detour = Arrival.reckon(HERE, List.of(away), DOOR, 6, NOW);
    assertThat(detour.expectedMillis()).isGreaterThan(second.expectedMillis());
  }

  @Test
  void reckon_neverInThePast() {
    Fix old = new Fix(37.5199, 127.0, Double.NaN, NOW - 600_000);
    Arrival arrival = Arrival.reckon(old, List.of(), DOOR, 6, NOW);
    assertThat(arrival.earliestMillis()).isGreaterThanOrEqualTo(NOW);
    assertThat(arrival.expectedMillis()).isGreaterThanOrEqualTo(arrival.earliestMillis());
    assertThat(arrival.latestMillis()).isGreaterThan(arrival.expectedMillis());
  }

  @Test
  void reckon_standingStill_isBounded() {
    Arrival standing = Arrival.reckon(HERE, List.of(), DOOR, 0, NOW);
    assertThat(standing.expectedMillis() - NOW).isLessThan(3_600_000);
  }

  private static long width(Arrival arrival) {
    return arrival.latestMillis() - arrival.earliestMillis();
  }
}
