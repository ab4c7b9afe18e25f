package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.geo.Box;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares what readers receive with a model that holds every rider's position. A follower that has
 * read to the end has each rider's newest position, even if its events were cut into batches, its
 * cursor was overrun, or its stream was resumed.
 */
@Tag("unit")
@Tag("soak")
final class StreamReaderModelTest {
  private static final int RIDERS = 2500;
  private static final int CHANGES = 256;
  private static final Box BOX = new Box(-400_000_000, 1_000_000_000, 400_000_000, -1_000_000_000);
  private static final long NOON = 1_700_000_000_000L;

  @Test
  void readers_afterListeningToTheEnd_knowWhatTheModelKnows() {
    Seeds.each(20, seed -> new Model(seed).run(), 1, 2, 3, 5, 8);
  }

  @Test
  void readers_whileRidersMove_endWithEveryonesNewest() throws Exception {
    LatestPositions positions = new LatestPositions(RIDERS, CHANGES);
    positions.begin(0);
    Fixes fixes = new Fixes(positions);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Map<String, List<Double>> truth = new HashMap<>();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Random random = new Random(7);
                    for (int i = 1; i <= 200_000; i++) {
                      String rider = "r" + random.nextInt(i < 100_000 ? RIDERS : 40);
                      double lat = random.nextInt(180) - 90;
                      double lon = random.nextInt(360) - 180;
                      fixes.take(rider, NOON + i, lat, lon, NOON + i, i);
                      truth.put(rider, List.of(lat, lon));
                    }
                    positions.settle(200_000);
                  } catch (RuntimeException failed) {
                    failure.set(failed);
                  }
                });
    List<Follower> followers = followers(positions);
    while (writer.isAlive()) {
      followers.forEach(Follower::listen);
    }
    writer.join();
    assertThat(failure.get()).isNull();
    for (Follower follower : followers) {
      follower.listenToTheEnd();
    }
    compare(followers, truth);
  }

  private static List<Follower> followers(LatestPositions positions) {
    List<String> some = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      some.add("r" + i);
    }
    return List.of(
        new Follower(positions, List.of(), null),
        new Follower(positions, List.of(), BOX),
        new Follower(positions, some, null),
        new Follower(positions, some, BOX));
  }

  private static void compare(List<Follower> followers, Map<String, List<Double>> truth) {
    for (int i = 0; i < followers.size(); i++) {
      Map<String, List<Double>> expected = new HashMap<>();
      boolean isBox = i % 2 == 1;
      int few = i < 2 ? RIDERS : 1000;
      truth.forEach(
          (rider, place) -> {
            boolean isIn = Math.abs(place.get(0)) <= 40 && Math.abs(place.get(1)) >= 100;
            if (Integer.parseInt(rider.substring(1)) < few && (!isBox || isIn)) {
              expected.put(rider, place);
            }
          });
      Map<String, List<Double>> known = followers.get(i).known;
      Map<String, List<Double>> over = new HashMap<>(known);
      over.entrySet().removeAll(expected.entrySet());
      expected.entrySet().removeAll(known.entrySet());
      assertThat(over).as("follower " + i + " knows too much").isEmpty();
      assertThat(expected).as("follower " + i + " does not know").isEmpty();
    }
  }

  private static final class Model {
    private final Random random;
    private final LatestPositions positions = new LatestPositions(RIDERS, CHANGES);
    private final Fixes fixes = new Fixes(positions);
    private final Map<String, List<Double>> truth = new HashMap<>();
    private final Map<String, Long> heard = new HashMap<>();
    private final List<Follower> followers = followers(positions);
    private long sequence;

    Model(long seed) {
      random = new Random(seed);
      positions.begin(0);
    }

    void run() {
      for (int round = 0; round < 400; round++) {
        switch (random.nextInt(8)) {
          case 0 -> forget();
          case 1 -> followers.get(random.nextInt(4)).resume();
          case 2 -> check();
          case 3, 4 -> followers.get(random.nextInt(4)).listen();
          default -> move(random.nextInt(random.nextBoolean() ? 2000 : 50));
        }
      }
      check();
    }

    private void move(int times) {
      int riders = random.nextBoolean() ? RIDERS : 30;
      for (int i = 0; i < times; i++) {
        String rider = "r" + random.nextInt(riders);
        double lat = random.nextInt(180) - 90;
        double lon = random.nextInt(360) - 180;
        sequence += 1 + random.nextInt(3);
        fixes.take(rider, NOON + sequence, lat, lon, NOON + 1000 * sequence, sequence);
        fixes.take(rider, NOON, lat, lon, NOON + 1000 * sequence, ++sequence);
        truth.put(rider, List.of(lat, lon));
        heard.put(rider, sequence);
      }
      positions.settle(sequence);
    }

    private void forget() {
      long since = sequence - random.nextInt(3000);
      assertThat(positions.forgetBefore(NOON + 1000 * since)).isTrue();
      heard.forEach(
          (rider, last) -> {
            if (last - 1 < since && truth.remove(rider) != null) {
              // No event reports this: a client decides itself how old a position may be.
              followers.forEach(follower -> follower.known.remove(rider));
            }
          });
    }

    private void check() {
      followers.forEach(Follower::listenToTheEnd);
      compare(followers, truth);
    }
  }
}
