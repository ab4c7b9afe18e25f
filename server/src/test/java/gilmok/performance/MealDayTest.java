package gilmok.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gilmok.performance.RiddenDelivery.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A published day of meal deliveries (mdrplib), ridden by one courier and counted in minutes on the
 * plane, beside what is measured of it on the globe.
 */
@Tag("unit")
final class MealDayTest {
  private static final Path DAY =
      Path.of(System.getProperty("gilmok.data", "../../shared/data"))
          .resolve("mdrp/0o100t100s1p100");
  private static final double METRES_PER_DEGREE = 111_194.9;
  private static final PerformanceConfig CONFIG =
      new PerformanceConfig(
          ZoneId.of("UTC"), 60, Duration.ofMinutes(20), 50, Duration.ofHours(6), 1_000);
  private static final int ORDERS = 12;
  private static final int SERVICE = 4;
  private static final int PROMISE = 40;

  private record Point(double x, double y) {
    double to(Point other) {
      return Math.hypot(x - other.x, y - other.y);
    }

    /** Near the equator, so that both axes have one scale. */
    Place place() {
      return new Place(y / METRES_PER_DEGREE, x / METRES_PER_DEGREE);
    }
  }

  private static List<String[]> rows(String file) throws Exception {
    return Files.readAllLines(DAY.resolve(file)).stream()
        .skip(1)
        .filter(line -> !line.isBlank())
        .map(line -> line.split("\t"))
        .toList();
  }

  private static long at(double minute) {
    return Math.round(minute * 60_000);
  }

  @Test
  void aCouriersOrders_oneAfterTheOther() throws Exception {
    assumeTrue(Files.isDirectory(DAY), "there is no " + DAY + ": the published days are not here");
    Map<String, Point> shops = new HashMap<>();
    for (String[] row : rows("restaurants.txt")) {
      shops.put(row[0], new Point(Double.parseDouble(row[1]), Double.parseDouble(row[2])));
    }
    double speed = Double.parseDouble(rows("instance_parameters.txt").getFirst()[0]);
    List<String[]> orders = new ArrayList<>(rows("orders.txt"));
    orders.sort((a, b) -> Integer.compare(Integer.parseInt(a[3]), Integer.parseInt(b[3])));

    RiderDay day = new RiderDay(CONFIG, 0, Duration.ofDays(1).toMillis(), Long.MAX_VALUE);
    List<double[]> positions = new ArrayList<>();
    Point here = Objects.requireNonNull(shops.get(orders.getFirst()[4]));
    double now = Integer.parseInt(orders.getFirst()[3]);
    double metres = 0;
    long late = 0;
    long onTime = 0;
    long shopWait = 0;
    long unready = 0;
    long busy = 0;
    int done = 0;
    for (String[] order : orders) {
      if (done == ORDERS) {
        break;
      }
      int placed = Integer.parseInt(order[3]);
      Point shop = Objects.requireNonNull(shops.get(order[4]));
      Point door = new Point(Double.parseDouble(order[1]), Double.parseDouble(order[2]));
      if (placed < now || here.to(shop) < 200 || shop.to(door) < 200) {
        continue; // missed, or so near that arriving needs no way
      }
      int ready = Integer.parseInt(order[5]);
      positions.add(new double[] {placed, here.x, here.y});
      double atShop = placed + Math.ceil(here.to(shop) / speed);
      positions.add(new double[] {atShop, shop.x, shop.y});
      double picked = Math.max(ready, atShop) + SERVICE;
      positions.add(new double[] {picked, shop.x, shop.y});
      double atDoor = picked + Math.ceil(shop.to(door) / speed);
      positions.add(new double[] {atDoor, door.x, door.y});
      double completed = atDoor + SERVICE;
      positions.add(new double[] {completed, door.x, door.y});
      day.add(
          new RiddenDelivery(
              "c",
              shop.place(),
              door.place(),
              at(placed),
              at(picked),
              at(completed),
              at(completed),
              at(ready),
              at(placed + PROMISE)));
      metres += here.to(shop) + shop.to(door);
      shopWait += Math.round(60 * (picked - atShop));
      unready += Math.round(60 * Math.max(0, ready - atShop));
      busy += Math.round(60 * (completed - placed));
      onTime += completed <= placed + PROMISE ? 1 : 0;
      late += Math.round(60 * Math.max(0, completed - placed - PROMISE));
      here = door;
      now = completed;
      done++;
    }
    day.begin();
    for (double[] one : positions) {
      Place place = new Point(one[1], one[2]).place();
      day.position(at(one[0]), place.lat(), place.lon());
    }
    Indicators measured = day.end(null);
    assertThat(done).isEqualTo(ORDERS);
    assertThat(measured.of(Measure.DELIVERIES)).isEqualTo(done);
    assertThat(measured.of(Measure.ON_TIME)).isEqualTo(onTime);
    assertThat(measured.of(Measure.LATE_SECONDS)).isEqualTo(late);
    assertThat(measured.of(Measure.SHOP_WAITS)).isEqualTo(done);
    assertThat(measured.of(Measure.SHOP_WAIT_SECONDS)).isEqualTo(shopWait);
    assertThat(measured.of(Measure.UNREADY_SECONDS)).isEqualTo(unready);
    assertThat(measured.of(Measure.DOOR_WAITS)).isEqualTo(done);
    assertThat(measured.of(Measure.DOOR_WAIT_SECONDS)).isEqualTo(60L * SERVICE * done);
    assertThat(measured.of(Measure.BUSY_SECONDS)).isEqualTo(busy);
    assertThat((double) measured.of(Measure.METRES)).isBetween(0.995 * metres, 1.005 * metres);
  }
}
