package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rider takes some hundred bytes of the heap, so that a million of them fit into a small one. */
@Tag("unit")
final class RidersHeapTest {
  private static final long NOON = 1_700_000_000_000L;
  private static final int RIDERS = 400_000;

  /**
   * An id, an event and what finds them come to about 100; other tests allocate beside this one.
   */
  private static final long BYTES_MAX = 180;

  @Test
  void manyRiders_takeAHundredBytesEach() {
    LatestPositions positions = new LatestPositions(RIDERS, LatestPositions.CHANGES_MAX);
    Fixes fixes = new Fixes(positions);
    fixes.take("r-first", NOON, 37.5, 127.02, NOON, 0);
    long before = liveBytes();
    for (int i = 1; i < RIDERS; i++) {
      fixes.take("r-" + i, NOON + i, 37.4 + i % 997 / 5e3, 126.9 + i % 991 / 5e3, NOON + i, i);
    }
    positions.settle(RIDERS);
    long each = (liveBytes() - before) / RIDERS;
    assertThat(positions.size()).isEqualTo(RIDERS);
    assertThat(each).isLessThan(BYTES_MAX);
  }

  private static long liveBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
