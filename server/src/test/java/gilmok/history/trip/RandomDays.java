package gilmok.history.trip;

import gilmok.history.trip.NaiveTrips.Raw;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Made-up points of a rider: walks, rides, stays with scattered fixes, silences long and short,
 * jumps that come back or do not, several fixes of an instant, some inaccurate; in a city, at the
 * date line, near a pole.
 */
final class RandomDays {
  private final Random random;
  private final List<Raw> points = new ArrayList<>();
  private final double lonMetre;
  private long at;
  private double lat;
  private double lon;

  private RandomDays(long seed) {
    random = new Random(seed);
    at = random.nextInt(5) == 0 ? random.nextInt(1_000_000) : 1_760_000_000_000L;
    lat = new double[] {37.5, -33.9, 0, 65, 89.5}[random.nextInt(5)];
    lon = new double[] {127, 179.9995, -179.9995, -0.0001}[random.nextInt(4)];
    lonMetre = 1 / (111_195 * Math.cos(Math.toRadians(lat)));
  }

  static List<Raw> of(long seed) {
    RandomDays day = new RandomDays(seed);
    int parts = 1 + day.random.nextInt(8);
    for (int i = 0; i < parts; i++) {
      day.part();
    }
    return day.points;
  }

  private void part() {
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> some(0, 1 + random.nextInt(random.nextBoolean() ? 15 : 70));
      case 3 -> some(0.2 + random.nextDouble(), 30);
      case 4, 5 -> some(15 * random.nextDouble(), 30);
      case 6 -> at += random.nextInt(random.nextBoolean() ? 300_000 : 4_000_000);
      case 7 -> jump();
      default -> {
        at += random.nextInt(1_500_000);
        shift(400 * random.nextGaussian(), 400 * random.nextGaussian());
      }
    }
  }

  private void some(double speed, int most) {
    double course = random.nextDouble() * 2 * Math.PI;
    double scatter = random.nextInt(4) == 0 ? 60 : 8;
    long step = random.nextBoolean() ? 10_000 : 45_000;
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      point(scatter, random.nextInt(12) == 0 ? 150 + random.nextInt(150) : 10);
      if (random.nextInt(15) != 0) {
        long millis = 1 + random.nextLong(2 * step);
        at += millis;
        shift(speed * millis / 1_000 * Math.cos(course), speed * millis / 1_000 * Math.sin(course));
      }
      course += 0.3 * random.nextGaussian();
    }
  }

  private void jump() {
    double north = 20_000 * random.nextGaussian();
    double east = 20_000 * random.nextGaussian();
    shift(north, east);
    some(2, 12);
    if (random.nextInt(3) > 0) {
      shift(-north, -east);
    }
  }

  private void shift(double north, double east) {
    lat = Math.clamp(lat + north / 111_195, -90, 90);
    lon += east * lonMetre;
    lon += lon > 180 ? -360 : lon < -180 ? 360 : 0;
  }

  private void point(double scatter, double accuracy) {
    double homeLat = lat;
    double homeLon = lon;
    shift(scatter * random.nextGaussian(), scatter * random.nextGaussian());
    points.add(
        new Raw(
            at,
            (int) Math.round(lat * 1e7),
            (int) Math.round(lon * 1e7),
            random.nextBoolean() ? accuracy : Double.NaN));
    lat = homeLat;
    lon = homeLon;
  }
}
