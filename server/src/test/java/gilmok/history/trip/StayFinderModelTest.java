package gilmok.history.trip;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.history.trip.NaiveTrips.Raw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Made-up days: what one pass finds is exactly what the definition says, and depends on no order.
 */
@Tag("unit")
final class StayFinderModelTest {
  private static final int DAYS = 100_000;

  @Test
  void anyDay_sameAsByTheDefinition() {
    AtomicLong stays = new AtomicLong();
    AtomicLong trips = new AtomicLong();
    Seeds.each(
        DAYS,
        seed -> {
          List<Raw> points = RandomDays.of(seed);
          TripRules rules = rules(seed);
          FoundTrips found = find(points, rules);
          assertThat(found.all).isEqualTo(NaiveTrips.of(points, rules));
          stays.addAndGet(found.stays().size());
          trips.addAndGet(found.trips().size());
        });
    assertThat(stays.get()).as("stays").isGreaterThan(Seeds.share(DAYS) / 4);
    assertThat(trips.get()).as("trips").isGreaterThan(Seeds.share(DAYS) / 4);
  }

  @Test
  void shuffledDoubledAndLatePoints_inTheOrderOfTime_giveTheSame() {
    Seeds.each(
        DAYS,
        seed -> {
          List<Raw> points = RandomDays.of(seed);
          Random random = new Random(seed);
          List<Raw> others = new ArrayList<>(points);
          for (int i = random.nextInt(1 + points.size()); i > 0; i--) {
            others.add(points.get(random.nextInt(points.size())));
          }
          Collections.shuffle(others, random);
          others.sort(Comparator.comparingLong(Raw::at)); // stable: one instant stays shuffled
          assertThat(find(others, rules(seed)).all).isEqualTo(find(points, rules(seed)).all);
        });
  }

  @Test
  void anyDay_eachMomentIsOfOneItem_orOfASilence() {
    Seeds.each(
        DAYS,
        seed -> {
          TripRules rules = rules(seed);
          long end = Long.MIN_VALUE;
          for (Record item : find(RandomDays.of(seed), rules).all) {
            long from = item instanceof Trip trip ? trip.fromMillis() : ((Stay) item).fromMillis();
            long to = item instanceof Trip trip ? trip.toMillis() : ((Stay) item).toMillis();
            assertThat(to).isGreaterThan(from);
            assertThat(from == end || end == Long.MIN_VALUE || from - end > rules.gap().toMillis())
                .isTrue();
            if (item instanceof Trip trip) {
              assertThat(trip.movingMillis() + trip.idleMillis()).isEqualTo(to - from);
            } else {
              assertThat(to - from).isGreaterThanOrEqualTo(rules.stay().toMillis());
            }
            end = to;
          }
        });
  }

  private static FoundTrips find(List<Raw> points, TripRules rules) {
    FoundTrips found = new FoundTrips();
    FixFilter filter = new FixFilter(new StayFinder(rules, found));
    points.forEach(point -> filter.point(point.at(), point.lat(), point.lon(), point.accuracy()));
    filter.end();
    return found;
  }

  private static TripRules rules(long seed) {
    Random random = new Random(~seed);
    if (random.nextInt(3) == 0) {
      return TripRules.DEFAULTS;
    }
    long minutes = 2L + random.nextInt(8);
    return new TripRules(
        20 + random.nextInt(200),
        Duration.ofMinutes(minutes),
        Duration.ofMinutes(minutes + random.nextInt(20)));
  }
}
