package gilmok.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class DistanceTest {
  private static final double R = Distance.EARTH_RADIUS_METRES;

  @Test
  void metres_partsOfACircle_areExact() {
    double quarter = R * Math.PI / 2;
    assertThat(Distance.metres(0, 0, 0, 900_000_000)).isCloseTo(quarter, within(1e-6));
    assertThat(Distance.metres(0, 0, 900_000_000, 17)).isCloseTo(quarter, within(1e-6));
    assertThat(Distance.metres(0, 0, 10_000_000, 0)).isCloseTo(quarter / 90, within(1e-6));
    assertThat(Distance.metres(600_000_000, 0, 600_000_000, 1_800_000_000))
        .isCloseTo(quarter * 2 / 3, within(1e-6));
  }

  @Test
  void metres_seoulToBusan_asKnown() {
    assertThat(Distance.metres(37.5665, 126.9780, 35.1796, 129.0756))
        .isCloseTo(325_000, within(1_000.0));
  }

  @Test
  void metres_antipodes_areHalfTheCircle() {
    double half = R * Math.PI;
    assertThat(Distance.metres(900_000_000, 0, -900_000_000, 5)).isCloseTo(half, within(1.0));
    assertThat(Distance.metres(375_000_000, 1_270_000_000, -375_000_000, -530_000_000))
        .isCloseTo(half, within(1.0));
  }

  @Test
  void metres_smallestSteps_areExactToAMillimetre() {
    double unit = R * Math.PI / 180 / 1e7;
    int lat = 375_665_000;
    int lon = 1_269_780_000;
    double narrower = Math.cos(Math.toRadians(lat / 1e7));
    for (int steps = 0; steps < 1000; steps++) {
      assertThat(Distance.metres(lat, lon, lat + steps, lon)).isCloseTo(steps * unit, within(1e-6));
      assertThat(Distance.metres(lat, lon, lat, lon - steps))
          .isCloseTo(steps * unit * narrower, within(1e-6));
    }
  }

  @Test
  void metres_overTheAntimeridianAndAtThePoles_areTheShortWay() {
    assertThat(Distance.metres(0, 1_799_999_999, 0, -1_800_000_000)).isLessThan(0.02);
    assertThat(Distance.metres(0, 1_800_000_000, 0, -1_800_000_000)).isZero();
    assertThat(Distance.metres(900_000_000, 0, 900_000_000, 1_234_567_890)).isLessThan(1e-6);
  }

  /** Compares with the angle between two vectors, which needs no haversine. */
  @Test
  void metres_anyTwoPoints_asByVectorsAndTheSameBothWays() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      int[] a = Places.anywhere(random);
      int[] b =
          i % 2 == 0 ? Places.anywhere(random) : Places.near(a, 1 << random.nextInt(30), random);
      double metres = Distance.metres(a[0], a[1], b[0], b[1]);
      assertThat(metres).as("seed " + seed).isEqualTo(Distance.metres(b[0], b[1], a[0], a[1]));
      assertThat(metres)
          .as("seed " + seed)
          .isCloseTo(byVectors(a, b), within(metres > 1.99e7 ? 1.0 : 1e-3));
      assertThat(Distance.metres(a[0] / 1e7, a[1] / 1e7, b[0] / 1e7, b[1] / 1e7))
          .as("seed " + seed)
          .isCloseTo(metres, within(metres > 1.99e7 ? 1.0 : 1e-3));
    }
  }

  @Test
  void ofMetres_andBack_isTheSame() {
    for (double metres = 0; metres < 2e7; metres = metres * 1.5 + 0.001) {
      assertThat(Distance.metres(Distance.ofMetres(metres)))
          .isCloseTo(metres, within(1e-9 * (1 + metres)));
    }
    assertThat(Distance.ofMetres(2.1e7)).isGreaterThan(1);
  }

  private static double byVectors(int[] a, int[] b) {
    double[] u = vector(a);
    double[] v = vector(b);
    double x = u[1] * v[2] - u[2] * v[1];
    double y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    return R * Math.atan2(Math.sqrt(x * x + y * y + z * z), dot);
  }

  private static double[] vector(int[] point) {
    double lat = Math.toRadians(point[0] / 1e7);
    double lon = Math.toRadians(point[1] / 1e7);
    return new double[] {
      Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)
    };
  }
}
