package gilmok.history.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import gilmok.Seeds;
import gilmok.geo.Distance;
import gilmok.history.trip.NaiveTrips.Raw;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class LineSimplifierTest {
  private static final double NAN = Double.NaN;

  @Test
  void anyLine_noPointIsFartherFromWhatRemainsThanTheBound() {
    AtomicLong all = new AtomicLong();
    AtomicLong kept = new AtomicLong();
    Seeds.each(
        100_000,
        seed -> {
          Random random = new Random(seed);
          List<Raw> line = seed % 2 == 0 ? RandomDays.of(seed) : ride(random);
          double metres = Math.pow(10, 3 * random.nextDouble());
          List<Raw> rest = simplify(line, metres);
          checkBound(line, rest, metres);
          all.addAndGet(line.size());
          kept.addAndGet(rest.size());
        });
    assertThat(kept.get()).as("of " + all.get() + " points").isLessThan(all.get() / 2);
  }

  @Test
  void straightRide_isTwoPoints() {
    List<Raw> line =
        IntStream.range(0, 5_000)
            .mapToObj(i -> new Raw(i, 375_000_000 + 100 * i, 1_270_000_000 + 100 * i, NAN))
            .toList();
    assertThat(simplify(line, 1)).containsExactly(line.getFirst(), line.getLast());
  }

  @Test
  void standing_isTwoPoints() {
    Random random = new Random(7);
    List<Raw> line =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new Raw(i, 375_000_000 + random.nextInt(300), 1_270_000_000, NAN))
            .toList();
    assertThat(simplify(line, 10)).containsExactly(line.getFirst(), line.getLast());
  }

  @Test
  void outAndBack_keepsTheTurn() {
    List<Raw> line =
        IntStream.rangeClosed(-50, 50)
            .mapToObj(i -> new Raw(i, 375_000_000 - 1_000 * Math.abs(i), 1_270_000_000, NAN))
            .toList();
    assertThat(simplify(line, 5)).hasSize(3).contains(new Raw(0, 375_000_000, 1_270_000_000, NAN));
  }

  @Test
  void overTheDateLine_isAStraightRide() {
    List<Raw> line =
        IntStream.range(0, 100)
            .mapToObj(i -> new Raw(i, 0, 1_799_950_000 + 1_000 * i, NAN))
            .map(raw -> raw.lon() <= 1_800_000_000 ? raw : new Raw(raw.at(), 0, -1, NAN))
            .toList();
    List<Raw> wrapped =
        line.stream()
            .map(raw -> raw.lon() > 0 ? raw : new Raw(raw.at(), 0, lonAfter(raw.at()), NAN))
            .toList();
    assertThat(simplify(wrapped, 1)).containsExactly(wrapped.getFirst(), wrapped.getLast());
  }

  @Test
  void noPoint_onePoint_aTeleport_remain() {
    Raw here = new Raw(0, 900_000_000, 1_800_000_000, NAN);
    Raw there = new Raw(0, -900_000_000, -1_800_000_000, NAN);
    assertThat(simplify(List.of(), 5)).isEmpty();
    assertThat(simplify(List.of(here), 5)).containsExactly(here);
    assertThat(simplify(List.of(here, there, here), 5)).containsExactly(here, there, here);
  }

  @Test
  void afterTheEnd_beginsAnew() {
    List<Raw> rest = new ArrayList<>();
    LineSimplifier simplifier = new LineSimplifier(10, sink(rest));
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 50; i++) {
        simplifier.point(i, 1_000 * i, 0, NAN);
      }
      simplifier.end();
    }
    assertThat(rest).extracting(Raw::lat).containsExactly(0, 49_000, 0, 49_000);
  }

  @Test
  void bound_isMoreThanZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LineSimplifier(0, sink(new ArrayList<>())))
        .withMessage("simplify: more than 0 metres");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LineSimplifier(NAN, sink(new ArrayList<>())));
  }

  private static int lonAfter(long step) {
    return (int) (1_799_950_000L + 1_000 * step - 3_600_000_000L);
  }

  /** A ride with bends, stops, reversals, now and then a jump. */
  private static List<Raw> ride(Random random) {
    List<Raw> line = new ArrayList<>();
    int lat = random.nextInt(1_700_000_000) - 850_000_000;
    int lon = random.nextInt(1_000_000) + (random.nextBoolean() ? 1_799_000_000 : 0);
    double course = random.nextDouble() * 2 * Math.PI;
    int noise = 1 + random.nextInt(1_000);
    int step = 1 + random.nextInt(20_000);
    for (int i = random.nextInt(150); i >= 0; i--) {
      int far = random.nextInt(100) == 0 ? 500 : random.nextInt(3);
      course += random.nextInt(20) == 0 ? random.nextDouble() * 7 : 0.1 * random.nextGaussian();
      lat += (int) (far * step * Math.cos(course));
      lat = Math.clamp(lat, -899_990_000, 899_990_000);
      long to = lon + (long) (far * step * Math.sin(course));
      lon = (int) (to > 1_800_000_000L ? to - 3_600_000_000L : to);
      line.add(new Raw(line.size(), lat + random.nextInt(noise), lon, NAN));
    }
    return line;
  }

  private static List<Raw> simplify(List<Raw> line, double metres) {
    List<Raw> rest = new ArrayList<>();
    LineSimplifier simplifier = new LineSimplifier(metres, sink(rest));
    line.forEach(point -> simplifier.point(point.at(), point.lat(), point.lon(), point.accuracy()));
    simplifier.end();
    return rest;
  }

  private static PointSink sink(List<Raw> points) {
    return new PointSink() {
      @Override
      public void point(long atMillis, int latE7, int lonE7, double accuracy) {
        points.add(new Raw(atMillis, latE7, lonE7, accuracy));
      }

      @Override
      public void end() {}
    };
  }

  /** What remains is some of the points in their order, and each other is near its piece. */
  private static void checkBound(List<Raw> line, List<Raw> rest, double metres) {
    if (line.isEmpty()) {
      assertThat(rest).isEmpty();
      return;
    }
    assertThat(rest.getFirst()).isEqualTo(line.getFirst());
    assertThat(rest.getLast()).isEqualTo(line.getLast());
    int piece = 0;
    for (Raw point : line) {
      if (piece + 1 < rest.size() && point.equals(rest.get(piece + 1))) {
        piece++;
      }
      Raw from = rest.get(Math.max(0, piece));
      Raw to = rest.get(Math.min(piece + 1, rest.size() - 1));
      double off = point.equals(from) ? 0 : metres(point, from, to);
      assertThat(off).as("%s from %s to %s", point, from, to).isLessThanOrEqualTo(metres + 0.001);
    }
    assertThat(piece).as("all that remains is of the line").isEqualTo(rest.size() - 1);
  }

  /** The distance to a line that is straight in degrees: the least of ever finer steps along it. */
  private static double metres(Raw point, Raw from, Raw to) {
    double low = 0;
    double high = 1;
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 12; round++) {
      double width = (high - low) / 10;
      double nearest = low;
      for (int i = 0; i <= 10; i++) {
        double t = low + i * width;
        double metres = metresAt(point, from, to, t);
        if (metres < best) {
          best = metres;
        }
        nearest = metres <= metresAt(point, from, to, nearest) ? t : nearest;
      }
      low = Math.max(0, nearest - width);
      high = Math.min(1, nearest + width);
    }
    return best;
  }

  private static double metresAt(Raw point, Raw from, Raw to, double part) {
    double turn = (double) to.lon() - from.lon();
    turn += turn > 1.8e9 ? -3.6e9 : turn < -1.8e9 ? 3.6e9 : 0;
    double lat = from.lat() + part * (to.lat() - from.lat());
    double lon = from.lon() + part * turn;
    return Distance.metres(point.lat() / 1e7, point.lon() / 1e7, lat / 1e7, lon / 1e7);
  }
}
