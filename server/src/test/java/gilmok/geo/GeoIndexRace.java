package gilmok.geo;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One writer moves spots over the borders of cells, which are divided and merged all the time,
 * while readers search. A spot that never leaves the circle or box is in each complete answer,
 * once.
 */
@Tag("unit")
@Tag("soak")
final class GeoIndexRace {
  private static final int SEARCHES = 2000;
  private static final int READERS = 3;
  private static final int STAYING = 60;
  private static final int PASSING = 200;

  /** The corner where four large cells meet, at 40.3 N, 80.5 E. */
  private static final int[] CORNER = {3 << 27, 3 << 28};

  /** About a kilometre in latitude, in 1e-7 degrees. */
  private static final int SPREAD = 90_000;

  @Test
  void searches_whileAllMove_missNobodyWhoStaysAndMeetNobodyTwice() {
    Seeds.each(20, seed -> new Round(seed).run());
  }

  private static final class Round {
    private final Random random;
    private final GeoIndex index = new GeoIndex();
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    Round(long seed) {
      random = new Random(seed);
      for (int i = 0; i < STAYING + PASSING; i++) {
        move(i, random);
      }
    }

    void run() throws InterruptedException {
      Random moving = new Random(random.nextLong());
      Thread writer = start(() -> keepMoving(moving));
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(start(this::search));
      }
      for (Thread reader : readers) {
        assertThat(reader.join(Duration.ofSeconds(60))).as("ends").isTrue();
      }
      over = true;
      assertThat(writer.join(Duration.ofSeconds(20))).as("ends").isTrue();
      assertThat(broken).isEmpty();
    }

    private Thread start(Runnable work) {
      return Thread.ofPlatform()
          .start(
              () -> {
                try {
                  work.run();
                } catch (RuntimeException | AssertionError bad) {
                  broken.add(bad);
                }
              });
    }

    private void keepMoving(Random random) {
      while (!over) {
        int rider = random.nextInt(STAYING + PASSING);
        if (rider >= STAYING && random.nextInt(3) == 0) {
          index.remove(rider);
        } else {
          move(rider, random);
        }
      }
    }

    /** Riders that stay move around the corner only; the others also far away. */
    private void move(int rider, Random random) {
      boolean away = rider >= STAYING && random.nextBoolean();
      int[] to =
          away
              ? Places.anywhere(random)
              : Places.near(CORNER, random.nextInt(4) == 0 ? 5 : SPREAD, random);
      index.move(rider, to[0], to[1]);
    }

    /** The writer is a thousand times as fast as a fleet, so an answer may be marked incomplete. */
    private void search() {
      SearchResult found = new SearchResult(1000);
      int complete = 0;
      for (int i = 0; i < SEARCHES && broken.isEmpty(); i++) {
        index.nearest(CORNER[0], CORNER[1], 2000, 1000, rider -> true, found);
        check(found);
        Box around =
            new Box(CORNER[0] - SPREAD, CORNER[1] - SPREAD, CORNER[0] + SPREAD, CORNER[1] + SPREAD);
        index.within(around, 1000, rider -> true, found);
        check(found);
        complete += found.isComplete() ? 1 : 0;
      }
      if (complete == 0) {
        throw new AssertionError("no answer was complete");
      }
    }

    private static void check(SearchResult found) {
      Set<Integer> once = new HashSet<>();
      int staying = 0;
      for (int i = 0; i < found.size(); i++) {
        int rider = found.spot(i);
        if (!once.add(rider)) {
          throw new AssertionError("twice: " + rider);
        }
        staying += rider < STAYING ? 1 : 0;
        if (i > 0 && found.metres(i - 1) > found.metres(i)) {
          throw new AssertionError("out of order");
        }
      }
      if (found.isComplete() && staying != STAYING) {
        throw new AssertionError("missed: " + (STAYING - staying));
      }
    }
  }
}
