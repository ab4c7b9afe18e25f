package gilmok.history.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Days of a few points, each with its answer; odd input; what a point costs. */
@Tag("unit")
final class StayFinderTest {
  private static final int LAT = 375_000_000;
  private static final int LON = 1_270_000_000;

  /** One metre of latitude, in 1e-7 degrees, within half a percent. */
  private static final int METRE = 90;

  private final FoundTrips found = new FoundTrips();
  private final FixFilter filter = new FixFilter(new StayFinder(TripRules.DEFAULTS, found));
  private long now = 1_760_000_000_000L;

  @Test
  void shopRideDoor_areStayTripStay() {
    long start = now;
    wait(600, 0);
    long left = now - 10_000;
    ride(0, 2_000, 15);
    wait(400, 2_000);
    filter.end();
    assertThat(found.stays()).hasSize(2);
    assertThat(found.trips()).hasSize(1);
    assertThat(found.all.getFirst()).isEqualTo(new Stay(start, left, LAT, LON, 60));
    Trip trip = found.trips().getFirst();
    assertThat(trip.fromMillis()).isEqualTo(left);
    assertThat(trip.metres()).isBetween(1_995.0, 2_005.0);
    assertThat(trip.idleMillis()).isZero();
    assertThat(found.stays().getLast().fromMillis()).isEqualTo(trip.toMillis());
  }

  @Test
  void outAndBackWithinTwoMinutes_isOneStay() {
    wait(600, 0);
    wait(90, 400);
    wait(600, 0);
    filter.end();
    assertThat(found.all).hasSize(1);
    assertThat(found.stays().getFirst().points()).isEqualTo(129);
  }

  @Test
  void outAndBackInThreeMinutes_areTwoStays() {
    wait(600, 0);
    wait(180, 400);
    wait(600, 0);
    filter.end();
    assertThat(found.stays()).hasSize(2);
    assertThat(found.trips()).hasSize(1);
  }

  @Test
  void silence_heardAgainThere_isAStay() {
    wait(30, 0);
    now += Duration.ofHours(8).toMillis();
    wait(30, 100);
    filter.end();
    assertThat(found.trips()).isEmpty();
    assertThat(found.stays()).singleElement().extracting(Stay::points).isEqualTo(6L);
  }

  @Test
  void silence_heardAgainElsewhere_isNeither() {
    ride(0, 3_000, 20);
    long silent = now;
    now += Duration.ofMinutes(11).toMillis();
    ride(6_000, 9_000, 20);
    filter.end();
    assertThat(found.stays()).isEmpty();
    assertThat(found.trips()).hasSize(2);
    assertThat(found.trips().getFirst().toMillis()).isLessThan(silent);
    assertThat(found.trips().getLast().fromMillis()).isGreaterThan(silent);
  }

  @Test
  void silenceWithinATrip_upToTheGap_isPartOfIt() {
    ride(0, 3_000, 20);
    now += Duration.ofMinutes(9).toMillis();
    ride(6_000, 9_000, 20);
    filter.end();
    assertThat(found.all).hasSize(1);
    assertThat(found.trips().getFirst().metres()).isBetween(8_850.0, 8_870.0);
  }

  @Test
  void silence_aMillisecondLongerThanTheGap_endsTheTrip() {
    ride(0, 3_000, 20);
    now += Duration.ofMinutes(10).toMillis() - 10_000;
    ride(6_000, 9_000, 20);
    filter.end();
    assertThat(found.trips()).hasSize(1);
    ride(0, 3_000, 20);
    now += Duration.ofMinutes(10).toMillis() - 10_000 + 1;
    ride(6_000, 9_000, 20);
    filter.end();
    assertThat(found.trips()).hasSize(3);
  }

  @Test
  void jumps_areDropped_untilFiveAgree() {
    ride(0, 1_000, 20);
    for (int i = 0; i < 4; i++) {
      point(500_000);
    }
    ride(1_050, 2_000, 20);
    assertThat(filter.dropped()).isEqualTo(4);
    for (int i = 0; i < 5; i++) {
      point(500_000);
    }
    filter.end();
    assertThat(filter.dropped()).isEqualTo(8);
    assertThat(found.trips()).hasSize(1);
    assertThat(found.trips().getFirst().metres()).isBetween(1_900.0, 2_100.0);
  }

  @Test
  void noPoint_onePoint_equalPoints_areNothing() {
    filter.end();
    point(0);
    filter.end();
    filter.point(0, LAT, LON, 5);
    filter.point(0, LAT, LON, 5);
    filter.point(0, LAT + 1_000, LON, Double.NaN);
    filter.end();
    assertThat(found.all).isEmpty();
    assertThat(filter.dropped()).isEqualTo(2);
  }

  @Test
  void atThePole_anyLongitude_isTheSamePlace() {
    for (int i = 0; i < 60; i++) {
      filter.point(now += 10_000, 900_000_000, (i % 2 == 0 ? 1 : -1) * i * 30_000_000, 5);
    }
    filter.end();
    assertThat(found.all).singleElement().isInstanceOf(Stay.class);
    assertThat(found.stays().getFirst().latE7()).isEqualTo(900_000_000);
  }

  @Test
  void onTheDateLine_isOnePlace_withItsCentreThere() {
    for (int i = 0; i < 60; i++) {
      filter.point(now += 10_000, 0, i % 2 == 0 ? 1_799_999_900 : -1_799_999_900, 5);
    }
    filter.end();
    assertThat(found.stays()).hasSize(1);
    assertThat(Math.abs(found.stays().getFirst().lonE7())).isGreaterThan(1_799_999_900);
  }

  @Test
  void clockOf1970_isASilenceBeforeTheRest() {
    long today = now;
    now = 0;
    point(0);
    now = today;
    ride(3_000, 6_000, 20);
    filter.end();
    assertThat(found.all).singleElement().isInstanceOf(Trip.class);
    assertThat(found.trips().getFirst().fromMillis()).isGreaterThanOrEqualTo(today);
  }

  @Test
  void timeBackwards_isRefused() {
    point(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.point(now - 10_001, LAT, LON, 5))
        .withMessageContaining("sort them by time");
  }

  @Test
  void rules_nameTheFieldThatIsWrong() {
    Duration five = Duration.ofMinutes(5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TripRules(0, five, five))
        .withMessage("radius: from 1 to 10000 metres");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TripRules(60, Duration.ofMinutes(1), five))
        .withMessage("minutes: from 2 to 1440");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TripRules(60, five, Duration.ofMinutes(4)))
        .withMessage("gap: from the shortest stay to 1440 minutes");
  }

  @Test
  void aPoint_makesNoObject() {
    LineSimplifier line = new LineSimplifier(10, new StayFinder(TripRules.DEFAULTS, found));
    circle(line, 20_000);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().threadId();
    long before = threads.getThreadAllocatedBytes(thread);
    long began = System.nanoTime();
    circle(filter, 500_000);
    circle(line, 500_000);
    long nanos = System.nanoTime() - began;
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    System.out.printf("stays and a line: %,d ns a point together%n", nanos / 500_000);
    assertThat(allocated).as("bytes for a million points").isLessThan(100_000);
  }

  /** A ride around a square kilometre, so no stay and one trip come of it. */
  private void circle(PointSink sink, int points) {
    for (int i = 0; i < points; i++) {
      now += 1_000;
      int lat = LAT + (int) (1_000 * METRE * Math.sin(i / 100.0));
      int lon = LON + (int) (1_000 * METRE * Math.cos(i / 100.0));
      sink.point(now, lat, lon, 5);
    }
    sink.end();
  }

  private void wait(int seconds, int north) {
    for (int i = 0; i < seconds; i += 10) {
      point(north);
    }
  }

  private void ride(int from, int to, int points) {
    for (int i = 1; i <= points; i++) {
      point(from + (to - from) * i / points);
    }
  }

  /** A point some metres north of the start; the next one comes ten seconds later. */
  private void point(int north) {
    filter.point(now, LAT + north * METRE, LON, 5);
    now += 10_000;
  }
}
