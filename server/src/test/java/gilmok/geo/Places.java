package gilmok.geo;

import java.util.Random;

/** Kinds of random points; a point is its latitude and longitude, in 1e-7 degrees. */
enum Places {
  ANYWHERE,
  CLUSTERED,
  ON_ONE_POINT,
  NORTH_POLE,
  SOUTH_POLE,
  ANTIMERIDIAN,
  FEW_POINTS;

  int[] next(Random random) {
    return switch (this) {
      case ANYWHERE -> anywhere(random);
      case CLUSTERED -> near(new int[] {375_665_000, 1_269_780_000}, spread(random, 24), random);
      case ON_ONE_POINT ->
          random.nextInt(50) == 0 ? anywhere(random) : new int[] {375_665_000, 1_269_780_000};
      case NORTH_POLE -> new int[] {900_000_000 - spread(random, 24), anywhere(random)[1]};
      case SOUTH_POLE -> new int[] {-900_000_000 + spread(random, 24), anywhere(random)[1]};
      case ANTIMERIDIAN ->
          near(new int[] {-170_000_000, 1_800_000_000}, spread(random, 26), random);
      case FEW_POINTS ->
          new int[] {random.nextInt(3) * 450_000_000, (random.nextInt(5) - 2) * 900_000_000};
    };
  }

  static int[] anywhere(Random random) {
    return new int[] {
      random.nextInt(-900_000_000, 900_000_001), random.nextInt(-1_800_000_000, 1_800_000_001)
    };
  }

  /** A random point, each coordinate at most {@code units} off; may be over the antimeridian. */
  static int[] near(int[] point, int units, Random random) {
    long lat = point[0] + random.nextLong(-units, units + 1L);
    long lon = point[1] + random.nextLong(-units, units + 1L);
    if (Math.abs(lon) > 1_800_000_000L) {
      lon -= Long.signum(lon) * 3_600_000_000L;
    }
    return new int[] {(int) Math.clamp(lat, -900_000_000L, 900_000_000L), (int) lon};
  }

  private static int spread(Random random, int bits) {
    return random.nextInt(1 << random.nextInt(1, bits));
  }
}
