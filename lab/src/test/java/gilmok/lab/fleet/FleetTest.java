package gilmok.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FleetTest {
  private static final long START = 1_772_330_400_000L;
  private static final int STEP_MILLIS = 500;

  private final River river = new River(Seoul.BRIDGES);

  @Test
  void advance_sameSeed_sameFixes_whateverTheStepsAndTheAnswers() {
    Fleet one = fleet(40, 7, 1);
    Fleet other = fleet(40, 7, 1);
    for (long at = START; at <= START + 600_000; at += 130) {
      one.advance(at, phone -> {});
    }
    one.advance(START + 600_000, phone -> {});
    other.advance(START + 600_000, phone -> phone.losesAnswer());
    assertThat(one.fixes()).isEqualTo(other.fixes()).isGreaterThan(5_000);
    for (int i = 0; i < 40; i++) {
      assertThat(kept(one.phones().get(i))).isEqualTo(kept(other.phones().get(i)));
    }
    Fleet third = fleet(40, 8, 1);
    third.advance(START + 600_000, phone -> {});
    assertThat(kept(third.phones().getFirst())).isNotEqualTo(kept(one.phones().getFirst()));
  }

  @Test
  void riders_keepToPhysicsAndStreets() {
    Fleet fleet = fleet(300, 1, 1);
    double[] speeds = new double[300];
    double[] x = new double[300];
    double[] y = new double[300];
    for (int i = 0; i < 300; i++) {
      x[i] = fleet.phones().get(i).rider().x();
      y[i] = fleet.phones().get(i).rider().y();
      speeds[i] = fleet.phones().get(i).rider().speed();
    }
    Set<Rider.Errand> seen = new HashSet<>();
    double fastest = 0;
    int crossed = 0;
    for (long at = START + STEP_MILLIS; at < START + 1_800_000; at += STEP_MILLIS) {
      for (int i = 0; i < 300; i++) {
        Rider rider = fleet.phones().get(i).rider();
        rider.moveTo(at);
        seen.add(rider.errand());
        double speed = rider.speed();
        fastest = Math.max(fastest, speed);
        assertThat(speed).isBetween(0.0, rider.vehicle().fastest() + 0.01);
        // In half a second: at most 2.4 m/s² of acceleration, and 7 m/s² of braking, as a tyre can.
        assertThat(speed - speeds[i]).isBetween(-3.5, 1.2);
        double way = Math.hypot(rider.x() - x[i], rider.y() - y[i]);
        assertThat(way).isLessThan(Math.max(speed, speeds[i]) * 0.5 + 0.8);
        if (river.clearance(rider.x(), rider.y()) < 0) {
          crossed++;
          assertThat(metresToBridge(rider)).isLessThan(2);
        }
        x[i] = rider.x();
        y[i] = rider.y();
        speeds[i] = speed;
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(Rider.Errand.values());
    assertThat(fastest).isGreaterThan(13);
    assertThat(crossed).isPositive();
  }

  @Test
  void vehicles_goAtTheirSpeeds() {
    Fleet fleet = fleet(400, 3, 1);
    assertThat(averageKmPerHour(fleet, Vehicle.MOTORBIKE)).isBetween(22.0, 40.0);
    assertThat(averageKmPerHour(fleet, Vehicle.BICYCLE)).isBetween(11.0, 20.0);
    assertThat(averageKmPerHour(fleet, Vehicle.FOOT)).isBetween(3.0, 5.4);
  }

  private static double averageKmPerHour(Fleet fleet, Vehicle vehicle) {
    DoubleSummaryStatistics speeds = new DoubleSummaryStatistics();
    for (long at = START; at < START + 900_000; at += 1_000) {
      for (Phone phone : fleet.phones()) {
        if (phone.rider().vehicle() == vehicle) {
          phone.rider().moveTo(at);
          if (phone.rider().speed() > 0.4) {
            speeds.accept(3.6 * phone.rider().speed());
          }
        }
      }
    }
    return speeds.getAverage();
  }

  @Test
  void fixes_sayWhatAPhoneWouldSay() {
    Fleet fleet = fleet(200, 5, 1);
    List<Double> errors = new ArrayList<>();
    int within = 0;
    int standing = 0;
    int moving = 0;
    for (long at = START; at < START + 1_200_000; at += 2_000) {
      for (Phone phone : fleet.phones()) {
        Fix fix = phone.take(at, at);
        Rider rider = phone.rider();
        if (rider.speed() == 0) {
          standing++;
          assertThat(fix.isMoving()).isFalse();
          assertThat(fix.speed()).isZero();
        } else if (fix.isMoving()) {
          moving++;
          assertThat(fix.bearing()).isBetween(0.0, 360.0).isNotEqualTo(360.0);
          assertThat(Math.abs(fix.speed() - rider.speed())).isLessThan(2);
        }
        double error =
            Math.hypot(FlatMap.x(fix.lon()) - rider.x(), FlatMap.y(fix.lat()) - rider.y());
        errors.add(error);
        within += error < fix.accuracy() ? 1 : 0;
        assertThat(fix.battery()).isBetween(0.0, 1.0);
        assertThat(fix.altitude()).isBetween(-40.0, 150.0);
      }
    }
    errors.sort(Double::compare);
    assertThat(standing).isGreaterThan(1_000);
    assertThat(moving).isGreaterThan(10_000);
    assertThat(errors.get(errors.size() / 2)).as("metres, median").isBetween(2.0, 8.0);
    assertThat(errors.getLast()).as("metres, jumps").isBetween(60.0, 200.0);
    assertThat((double) within / errors.size()).as("within accuracy").isBetween(0.5, 0.9);
  }

  @Test
  void phones_withoutSignal_keepTheirFixesAndGiveThemInOrder() {
    Fleet fleet = fleet(300, 11, 1);
    List<Fix> lateOnes = new ArrayList<>();
    long[] settled = {0};
    for (long at = START; at < START + 1_800_000; at += 1_000) {
      fleet.advance(
          at,
          phone -> {
            List<Fix> fixes = phone.oldest(100_000);
            for (int i = 1; i < fixes.size(); i++) {
              assertThat(fixes.get(i).at()).isGreaterThan(fixes.get(i - 1).at());
            }
            fixes.stream().filter(Fix::late).forEach(lateOnes::add);
            phone.settled(fixes);
            settled[0] += fixes.size();
          });
    }
    long kept = fleet.phones().stream().mapToLong(Phone::keptCount).sum();
    assertThat(settled[0] + kept).as("nothing is lost").isEqualTo(fleet.fixes());
    for (Phone phone : fleet.phones()) {
      // A phone is offline for at most four minutes; some seconds more pass until it has sent all.
      assertThat(phone.keptCount()).isLessThan(250_000 / 1_900);
    }
    assertThat((double) lateOnes.size() / settled[0]).as("share late").isBetween(0.01, 0.15);
  }

  @Test
  void clocks_ofAFewPhones_areWrong() {
    Fleet fleet = fleet(1_000, 2, 1);
    int wrong = 0;
    for (Phone phone : fleet.phones()) {
      long off = Math.abs(phone.take(START + 1, START + 1).at() - START - 1);
      wrong += off > 0 ? 1 : 0;
      assertThat(off).isLessThan(8 * 60_000 + 1);
    }
    assertThat(wrong).isBetween(3, 40);
  }

  @Test
  void advance_tenTimesFaster_moreFixesWithTimesOfTheWorld() {
    Fleet fleet = fleet(20, 1, 10);
    fleet.advance(START + 60_000, phone -> {});
    assertThat(fleet.fixes()).isBetween(20L * 600 / 6, 20L * 600 / 2);
    for (Phone phone : fleet.phones()) {
      for (Fix fix : phone.oldest(10)) {
        assertThat(Math.abs(fix.at() - START)).isLessThan(9 * 60_000);
      }
    }
  }

  @Test
  void kept_atItsBound_givesUpTheOldest() {
    Phone phone = fleet(1, 1, 1).phones().getFirst();
    for (int i = 0; i < Phone.KEPT_MAX + 5; i++) {
      phone.take(START + 1_000L * i, START + 1_000L * i);
    }
    assertThat(phone.keptCount()).isEqualTo(Phone.KEPT_MAX);
    assertThat(phone.dropped()).isEqualTo(5);
  }

  private static Fleet fleet(int riders, long seed, double speed) {
    return new Fleet(new Fleet.Plan(riders, seed, START, speed));
  }

  private static List<Fix> kept(Phone phone) {
    return phone.oldest(Integer.MAX_VALUE);
  }

  private double metresToBridge(Rider rider) {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < Seoul.BRIDGES.size(); i++) {
      double across = river.course(i) + Math.PI / 2;
      double dx = rider.x() - FlatMap.x(Seoul.BRIDGES.get(i).lon());
      double dy = rider.y() - FlatMap.y(Seoul.BRIDGES.get(i).lat());
      double along = dx * Math.cos(across) + dy * Math.sin(across);
      if (Math.abs(along) < 1_500) {
        least = Math.min(least, Math.abs(dx * Math.sin(across) - dy * Math.cos(across)));
      }
    }
    return least;
  }
}
