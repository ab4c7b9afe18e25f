package gilmok.performance;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.performance.RiddenDelivery.Place;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rider's day, counted by hand. Minutes are those since midnight. */
@Tag("unit")
final class RiderDayTest {
  /** A thousandth of a degree of latitude is 111.2 metres. */
  private static final double STEP = 0.001;

  private static final PerformanceConfig CONFIG =
      new PerformanceConfig(
          ZoneId.of("UTC"), 50, Duration.ofMinutes(5), 50, Duration.ofHours(6), 1_000);
  private static final long DAY = Duration.ofDays(20_000).toMillis();

  private final RiderDay day =
      new RiderDay(CONFIG, DAY, DAY + Duration.ofDays(1).toMillis(), Long.MAX_VALUE);

  private static long at(double minute) {
    return DAY + Math.round(minute * 60_000);
  }

  private static Place step(int north) {
    return new Place(37 + north * STEP, 127);
  }

  private static RiddenDelivery ride(
      int shop, int door, double assigned, double picked, double completed, @Nullable Long due) {
    return new RiddenDelivery(
        "r",
        step(shop),
        step(door),
        at(assigned),
        at(picked),
        at(completed),
        at(completed),
        at(picked - 1),
        due);
  }

  private void position(double minute, double north) {
    day.position(at(minute), 37 + north * STEP, 127);
  }

  private Indicators end() throws Exception {
    return day.end((matrix, orders) -> new TourPlanner.Best(300, true));
  }

  @Test
  void oneDelivery_withPositions_eachMeasure() throws Exception {
    // Assigned at minute 10, at the shop (step 2) at 14, ready at 19, picked up at 20, at the door
    // (step 5) at 26, completed at 28, promised for 27. Idle from 8 to 10 and from 28 to 30.
    day.add(ride(2, 5, 10, 20, 28, at(27)));
    day.begin();
    position(8, 0);
    position(10, 0);
    position(12, 1);
    position(14, 2);
    position(17, 2);
    position(20, 2);
    position(23, 3.5);
    position(26, 5);
    position(28, 5);
    position(30, 5);
    Indicators counted = end();
    assertThat(counted.of(Measure.DELIVERIES)).isEqualTo(1);
    assertThat(counted.of(Measure.PICKUPS)).isEqualTo(1);
    assertThat(counted.of(Measure.DROPOFFS)).isEqualTo(1);
    assertThat(counted.of(Measure.DUE)).isEqualTo(1);
    assertThat(counted.of(Measure.ON_TIME)).isZero();
    assertThat(counted.of(Measure.LATE_SECONDS)).isEqualTo(60);
    assertThat(counted.of(Measure.SHOP_WAITS)).isEqualTo(1);
    assertThat(counted.of(Measure.SHOP_WAIT_SECONDS)).isEqualTo(6 * 60);
    assertThat(counted.of(Measure.UNREADY_SECONDS)).isEqualTo(5 * 60);
    assertThat(counted.of(Measure.DOOR_WAITS)).isEqualTo(1);
    assertThat(counted.of(Measure.DOOR_WAIT_SECONDS)).isEqualTo(2 * 60);
    assertThat(counted.of(Measure.BUSY_SECONDS)).isEqualTo(18 * 60);
    assertThat(counted.of(Measure.IDLE_SECONDS)).isEqualTo(4 * 60);
    assertThat(counted.of(Measure.POSITIONS)).isEqualTo(10);
    assertThat(counted.of(Measure.METRES)).isBetween(555L, 557L);
    assertThat(counted.of(Measure.TOURS)).as("one order is no tour").isZero();
  }

  @Test
  void twoDeliveries_thatOverlap_areATour() throws Exception {
    // Shops at steps 0 and 1, doors at 3 and 2. Driven 0, 1, 3, 2 from step 0: 1 + 2 + 1 steps.
    day.add(ride(0, 3, 10, 12, 20, null));
    day.add(ride(1, 2, 11, 14, 24, null));
    day.begin();
    position(9, 0);
    Indicators counted = end();
    assertThat(counted.of(Measure.TOURS)).isEqualTo(1);
    assertThat(counted.of(Measure.TOURS_PROVEN)).isEqualTo(1);
    assertThat(counted.of(Measure.DRIVEN_METRES)).isBetween(443L, 446L);
    assertThat(counted.of(Measure.BEST_METRES)).isEqualTo(300);
    assertThat(counted.of(Measure.BUSY_SECONDS)).isEqualTo(14 * 60);
    assertThat(counted.of(Measure.SHOP_WAITS)).as("no position was near").isZero();
  }

  @Test
  void gapsLeapsAndLatePoints_areNoWay() throws Exception {
    day.begin();
    position(0, 0);
    position(1, 1);
    position(0.5, 40); // late
    position(7, 3); // after a gap of six minutes
    position(7.1, 30); // three kilometres in six seconds
    position(8, 31);
    Indicators counted = end();
    assertThat(counted.of(Measure.POSITIONS)).isEqualTo(6);
    assertThat(counted.of(Measure.METRES)).isBetween(221L, 223L);
    assertThat(counted.of(Measure.IDLE_SECONDS)).isEqualTo(2 * 60);
  }

  @Test
  void onePositionOfAWrongClock_takesNothingFromTheOthers() throws Exception {
    day.begin();
    position(0, 0);
    position(1, 1);
    position(200, 50); // three hours ahead
    for (int minute = 2; minute <= 6; minute++) {
      position(minute, minute);
    }
    Indicators counted = end();
    assertThat(counted.of(Measure.POSITIONS)).isEqualTo(8);
    assertThat(counted.of(Measure.METRES)).isBetween(665L, 669L);
    assertThat(counted.of(Measure.IDLE_SECONDS)).isEqualTo(6 * 60);
  }

  @Test
  void pointsOfAPhoneThatWasOffline_areInTheirPlace_andShowArrivals() throws Exception {
    day.add(ride(2, 5, 1, 8, 20, null));
    day.begin();
    position(0, 0);
    position(9, 3); // the newest first, then what was kept meanwhile
    for (int minute = 2; minute <= 8; minute++) {
      position(minute, minute < 5 ? 1 : 2);
    }
    Indicators counted = end();
    assertThat(counted.of(Measure.SHOP_WAIT_SECONDS)).isEqualTo(3 * 60);
    assertThat(counted.of(Measure.METRES)).isBetween(221L, 223L);
  }

  @Test
  void underWay_hasLastedUntilNow() throws Exception {
    RiderDay live = new RiderDay(CONFIG, DAY, DAY + Duration.ofDays(1).toMillis(), at(30));
    live.add(new RiddenDelivery("r", step(0), step(1), at(20), null, null, null, null, null));
    live.begin();
    assertThat(live.end(null).of(Measure.BUSY_SECONDS)).isEqualTo(10 * 60);
  }

  @Test
  void aTourOverMidnight_countsWhole_onTheDayOnWhichItEnds() throws Exception {
    day.add(ride(0, 3, -30, -25, -10, null));
    day.add(ride(1, 2, -29, -20, 10, null));
    day.begin();
    assertThat(day.positionsFrom()).isEqualTo(at(-35));
    position(-31, 0);
    Indicators counted = end();
    assertThat(counted.of(Measure.TOURS)).isEqualTo(1);
    assertThat(counted.of(Measure.DELIVERIES)).isEqualTo(1);
    assertThat(counted.of(Measure.BUSY_SECONDS)).isEqualTo(10 * 60);
    assertThat(counted.of(Measure.POSITIONS)).isZero();
    assertThat(counted.of(Measure.METRES)).isZero();
  }

  @Test
  void aWaitOverMidnight_isNotCut() throws Exception {
    day.add(ride(0, 3, -30, 10, 20, null)); // ready at 9
    day.begin();
    assertThat(day.positionsFrom()).isEqualTo(at(-30));
    position(-20, 0);
    position(5, 0);
    Indicators counted = end();
    assertThat(counted.of(Measure.SHOP_WAIT_SECONDS)).isEqualTo(30 * 60);
    assertThat(counted.of(Measure.UNREADY_SECONDS)).isEqualTo(29 * 60);
    assertThat(counted.of(Measure.POSITIONS)).isEqualTo(1);
  }

  @Test
  void overMidnight_eachDayHasItsOwn() throws Exception {
    day.add(ride(0, 1, -10, -5, 5, null));
    day.begin();
    position(-1, 0);
    Indicators counted = end();
    assertThat(counted.of(Measure.PICKUPS)).isZero();
    assertThat(counted.of(Measure.DROPOFFS)).isEqualTo(1);
    assertThat(counted.of(Measure.BUSY_SECONDS)).isEqualTo(5 * 60);
    assertThat(counted.of(Measure.POSITIONS)).isZero();
  }

  @Test
  void failedAndOpenDeliveries_areNoDropoffs() throws Exception {
    day.add(new RiddenDelivery("r", step(0), step(1), at(0), at(2), null, at(9), null, at(100)));
    day.add(new RiddenDelivery("r", step(0), step(1), at(20), null, null, null, null, null));
    day.begin();
    Indicators counted = end();
    assertThat(counted.of(Measure.FAILED)).isEqualTo(1);
    assertThat(counted.of(Measure.DELIVERIES)).isZero();
    assertThat(counted.of(Measure.DUE)).isZero();
    assertThat(counted.of(Measure.TOURS)).isZero();
    assertThat(counted.of(Measure.BUSY_SECONDS)).isEqualTo((9 + 24 * 60 - 20) * 60);
  }

  @Test
  void indicators_asBytes_areTheSame() throws Exception {
    day.add(ride(2, 5, 10, 20, 28, at(27)));
    day.begin();
    Indicators counted = end();
    Indicators read =
        Objects.requireNonNull(DayOfRiders.read(DayOfRiders.bytes(Map.of("r", counted))).get("r"));
    assertThat(read.csv()).isEqualTo(counted.csv());
    assertThat(read.isEmpty()).isFalse();
    assertThat(new Indicators().isEmpty()).isTrue();
  }
}
