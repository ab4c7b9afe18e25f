package gilmok.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gilmok.Seeds;
import gilmok.geo.Cell.InnerNode;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random moves, removals and searches against a list that is searched from end to end. A seed that
 * finds a bug is kept here by its number.
 */
@Tag("unit")
@Tag("soak")
final class GeoIndexModelTest {
  @Test
  void anyMovesAndSearches_asTheModel() {
    Seeds.each(140, seed -> new Run(seed).run());
  }

  private static final class Run {
    /** In metres: how far the index's distances may differ from {@link Distance#metres}. */
    private static final double EDGE = 1e-4;

    private final Random random;
    private final Places places;
    private final int riders;
    private final Set<Integer> inside = new HashSet<>();
    private final GeoIndex index = new GeoIndex();
    private final SearchResult found = new SearchResult(2000);

    Run(long seed) {
      random = new Random(seed);
      places = List.of(Places.values()).get((int) seed % Places.values().length);
      riders = 1 + random.nextInt(1 << random.nextInt(1, 12));
    }

    void run() {
      for (int round = 0; round < 6; round++) {
        int steps = 1 + random.nextInt(2 * riders);
        boolean leaving = random.nextInt(3) == 0;
        for (int i = 0; i < steps; i++) {
          int rider = random.nextInt(riders);
          if (leaving ? random.nextInt(10) > 0 : random.nextInt(10) == 0) {
            index.remove(rider);
            inside.remove(rider);
          } else {
            move(rider);
          }
        }
        assertThat(index.size()).isEqualTo(inside.size());
        for (int i = 0; i < 30; i++) {
          searchNear();
          searchBox();
        }
      }
      for (int rider = 0; rider < riders; rider++) {
        index.remove(rider);
      }
      index.nearest(0, 0, 3e7, 1, rider -> true, found);
      assertThat(found.size()).isZero();
      assertThat(found.cellsSeen()).isLessThanOrEqualTo(1 + InnerNode.QUARTERS);
    }

    private void move(int rider) {
      int[] to = places.next(random);
      if (inside.contains(rider) && random.nextBoolean()) {
        int[] from = {PointE7.latE7(index.point(rider)), PointE7.lonE7(index.point(rider))};
        to = Places.near(from, 1 << random.nextInt(20), random);
      }
      index.move(rider, to[0], to[1]);
      inside.add(rider);
      assertThat(index.point(rider)).isEqualTo(PointE7.of(to[0], to[1]));
    }

    private void searchNear() {
      int[] from = from();
      double radius =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 3e7;
            default -> Math.pow(10, random.nextDouble(8));
          };
      int limit = 1 + random.nextInt(1 << random.nextInt(1, 11));
      int part = 1 + random.nextInt(3);
      index.nearest(from[0], from[1], radius, limit, rider -> rider % part == 0, found);
      Stream<Integer> wanted = inside.stream().filter(rider -> rider % part == 0);
      check(wanted.toList(), rider -> metres(from, rider), radius, limit);
    }

    private void searchBox() {
      int[] a = from();
      int[] b = random.nextBoolean() ? from() : Places.near(a, 1 << random.nextInt(28), random);
      int south = Math.min(a[0], b[0]);
      int north = Math.max(a[0], b[0]);
      int limit = 1 + random.nextInt(1 << random.nextInt(1, 11));
      Box box = new Box(south, a[1], north, b[1]);
      index.within(box, limit, rider -> true, found);
      int[] middle = {box.middleLat(), box.middleLon()};
      List<Integer> wanted =
          inside.stream().filter(rider -> isIn(south, a[1], north, b[1], rider)).toList();
      check(wanted, rider -> metres(middle, rider), Double.MAX_VALUE, limit);
    }

    private int[] from() {
      if (random.nextBoolean() && !inside.isEmpty()) {
        long point = index.point(inside.iterator().next());
        int[] at = {PointE7.latE7(point), PointE7.lonE7(point)};
        return random.nextBoolean() ? at : Places.near(at, 1 << random.nextInt(24), random);
      }
      return random.nextBoolean() ? places.next(random) : Places.anywhere(random);
    }

    private void check(
        List<Integer> wanted, ToDoubleFunction<Integer> metres, double radius, int limit) {
      double[] surely =
          wanted.stream()
              .mapToDouble(metres)
              .filter(distance -> distance <= radius)
              .sorted()
              .limit(limit)
              .toArray();
      long perhaps =
          wanted.stream().mapToDouble(metres).filter(metre -> metre <= radius + EDGE).count();
      assertThat(found.size())
          .isBetween(
              radius == 0 ? surely.length : (int) Math.min(limit, sure(wanted, metres, radius)),
              (int) Math.min(limit, perhaps));
      Set<Integer> once = new HashSet<>();
      for (int i = 0; i < found.size(); i++) {
        int rider = found.spot(i);
        assertThat(once.add(rider)).as("twice: " + rider).isTrue();
        assertThat(wanted).contains(rider);
        double edge = found.metres(i) > 1.99e7 ? 1 : EDGE;
        assertThat(found.metres(i)).isCloseTo(metres.applyAsDouble(rider), within(edge));
        if (i < surely.length) {
          assertThat(found.metres(i)).isCloseTo(surely[i], within(edge));
        }
      }
    }

    private static long sure(
        List<Integer> wanted, ToDoubleFunction<Integer> metres, double radius) {
      return wanted.stream().mapToDouble(metres).filter(metre -> metre <= radius - EDGE).count();
    }

    private double metres(int[] from, int rider) {
      long point = index.point(rider);
      return Distance.metres(from[0], from[1], PointE7.latE7(point), PointE7.lonE7(point));
    }

    private boolean isIn(int south, int west, int north, int east, int rider) {
      int lat = PointE7.latE7(index.point(rider));
      int lon = PointE7.lonE7(index.point(rider));
      boolean across = west > east ? lon >= west || lon <= east : lon >= west && lon <= east;
      return across && lat >= south && lat <= north;
    }
  }
}
