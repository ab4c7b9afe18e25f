package gilmok.deliveries.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gilmok.deliveries.DeliveryPlace;
import gilmok.geo.Distance;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ArrivalEstimateTest {
  private static final long NOW = 1_790_000_000_000L;
  private static final RiderFix HERE = new RiderFix(37.5, 127.0, Double.NaN, NOW);
  private static final DeliveryPlace DOOR = new DeliveryPlace(37.52, 127.0, "door", null);

  @Test
  void reckon_noStops_isWayOverSpeed() {
    double metres = ArrivalEstimate.DETOUR * Distance.metres(37.5, 127.0, 37.52, 127.0);
    ArrivalEstimate observed = ArrivalEstimate.reckon(HERE, List.of(), DOOR, 6, NOW);
    assertThat(observed.expectedMillis() - NOW).isCloseTo((long) (1000 * metres / 6), within(2L));
    ArrivalEstimate usual = ArrivalEstimate.reckon(HERE, List.of(), DOOR, Double.NaN, NOW);
    assertThat(usual.expectedMillis() - NOW)
        .isCloseTo((long) (1000 * metres / ArrivalEstimate.USUAL_SPEED), within(2L));
    assertThat(width(usual)).as("less is known").isGreaterThan(width(observed));
  }

  @Test
  void reckon_stopsBefore_takeLongerAndAreLessSure() {
    ArrivalEstimate direct = ArrivalEstimate.reckon(HERE, List.of(), DOOR, 6, NOW);
    DeliveryPlace onTheWay = new DeliveryPlace(37.51, 127.0, "stop", null);
    ArrivalEstimate second = ArrivalEstimate.reckon(HERE, List.of(onTheWay), DOOR, 6, NOW);
    assertThat(second.expectedMillis() - direct.expectedMillis()).isCloseTo(180_000, within(100L));
    assertThat(width(second)).isGreaterThan(width(direct));
    DeliveryPlace away = new DeliveryPlace(37.45, 127.0, "stop", null);
    ArrivalEstimate detour = ArrivalEstimate.reckon(HERE, List.of(away), DOOR, 6, NOW);
    assertThat(detour.expectedMillis()).isGreaterThan(second.expectedMillis());
  }

  @Test
  void reckon_neverInThePast() {
    RiderFix old = new RiderFix(37.5199, 127.0, Double.NaN, NOW - 600_000);
    ArrivalEstimate arrival = ArrivalEstimate.reckon(old, List.of(), DOOR, 6, NOW);
    assertThat(arrival.earliestMillis()).isGreaterThanOrEqualTo(NOW);
    assertThat(arrival.expectedMillis()).isGreaterThanOrEqualTo(arrival.earliestMillis());
    assertThat(arrival.latestMillis()).isGreaterThan(arrival.expectedMillis());
  }

  @Test
  void reckon_standingStill_isBounded() {
    ArrivalEstimate standing = ArrivalEstimate.reckon(HERE, List.of(), DOOR, 0, NOW);
    assertThat(standing.expectedMillis() - NOW).isLessThan(3_600_000);
  }

  private static long width(ArrivalEstimate arrival) {
    return arrival.latestMillis() - arrival.earliestMillis();
  }
}
