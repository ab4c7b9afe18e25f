package gilmok.history;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.history.PastRig.Point;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random positions in random places, in the log, in files or in both, late, repeated and of clocks
 * that are off, are what a plain list has.
 */
@Tag("unit")
final class RiderPointsModelTest {
  private static final long BEGIN = 1_790_000_000_000L;
  private static final List<String> RIDERS = List.of("r1", "r2", "기수 3");

  @TempDir Path folder;

  @Test
  void positions_areThoseOfAList() {
    Seeds.each(60, this::compare);
  }

  private void compare(long seed) throws Exception {
    Random random = new Random(seed);
    long late = random.nextInt(200);
    TimeSpan span =
        TimeSpan.of(BEGIN + random.nextInt(300), BEGIN + 300 + random.nextInt(700), late);
    try (PastRig rig = new PastRig(folder.resolve(Long.toString(seed)))) {
      List<Point> all = new ArrayList<>();
      List<Point> shipped = new ArrayList<>();
      int count = random.nextInt(400);
      int settled = random.nextInt(count + 1);
      for (int i = 0; i < count; i++) {
        Point point = point(random, i, all);
        all.add(point);
        long sequence = rig.append(point);
        if (i < settled) {
          rig.settled(sequence);
        }
        for (int copies = i < settled ? 1 + random.nextInt(2) : random.nextInt(2);
            copies > 0;
            copies--) {
          shipped.add(point);
        }
      }
      write(rig, shipped, random);
      for (int rider = 0; rider < RIDERS.size(); rider++) {
        List<TracePoint> expected = expected(rig, all, RIDERS.get(rider), span);
        int passMax = 1 + random.nextInt(50);
        List<TracePoint> read = rig.read(RIDERS, rider, span, null, passMax);
        assertThat(read).isEqualTo(expected);
        if (!expected.isEmpty()) {
          int from = random.nextInt(expected.size());
          Place after = expected.get(from).place();
          assertThat(rig.read(RIDERS, rider, span, after, passMax))
              .isEqualTo(expected.subList(from + 1, expected.size()));
        }
      }
      assertThat(rig.leases()).isZero();
    }
  }

  /** A new position, or one that was there before, as a phone sends it again. */
  private static Point point(Random random, int i, List<Point> all) {
    long received = BEGIN + 2 * i;
    if (i > 0 && random.nextInt(5) == 0) {
      Point before = all.get(random.nextInt(i));
      return new Point(before.rider(), before.at(), received, before.lat(), before.id());
    }
    long at =
        switch (random.nextInt(10)) {
          case 0 -> random.nextInt(100_000); // a clock of 1970
          case 1 -> received + random.nextInt(1000);
          case 2, 3 -> Math.max(0, received - random.nextInt(1000));
          default -> received;
        };
    String rider = RIDERS.get(random.nextInt(RIDERS.size()));
    return new Point(rider, at, received, random.nextInt(20) / 10.0, "p" + i);
  }

  /** Writes rows into some files, in some order, in groups of some size. */
  private static void write(PastRig rig, List<Point> shipped, Random random) throws Exception {
    if (random.nextBoolean()) {
      Collections.shuffle(shipped, random);
    }
    int from = 0;
    while (from < shipped.size()) {
      int to = Math.min(shipped.size(), from + 1 + random.nextInt(200));
      List<Point> rows = new ArrayList<>(shipped.subList(from, to));
      if (random.nextBoolean()) { // as files are that were put together
        rows.sort(Comparator.comparing(Point::rider).thenComparing(point -> rig.place(point)));
      }
      rig.file(rows, 1 + random.nextInt(60));
      from = to;
    }
  }

  private static List<TracePoint> expected(
      PastRig rig, List<Point> all, String rider, TimeSpan span) {
    Map<Place, TracePoint> in = new TreeMap<>();
    for (Point point : all) {
      boolean isIn =
          point.rider().equals(rider)
              && point.at() >= span.fromMillis()
              && point.at() < span.untilMillis()
              && point.received() < span.receivedUntilMillis()
              && point.received() >= span.receivedFromMillis();
      if (isIn) {
        Place place = rig.place(point);
        double speed = point.lat() > 1 ? point.lat() / 2 : Double.NaN;
        in.put(
            place,
            new TracePoint(
                place,
                point.lat(),
                127,
                new TracePoint.Measured(Double.NaN, speed, Double.NaN, Double.NaN, Double.NaN),
                point.lat() > 1 ? "gps" : null,
                null));
      }
    }
    return List.copyOf(in.values());
  }
}
