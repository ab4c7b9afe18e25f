package gilmok.geo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The spots of a {@link GeoIndex} by their numbers: of each its point, its leaf and its slot there,
 * in columns of primitives, 16 bytes a spot. A spot is no object, so a million of them cost the
 * garbage collector nothing. The columns are cut into pages, so that growing copies none.
 *
 * <p>Only the index's writer changes them. Any thread reads points, with acquire; leaves and slots
 * are the writer's own.
 */
final class Spots {
  private static final int PAGE_BITS = 13;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final VarHandle POINTS = MethodHandles.arrayElementVarHandle(long[].class);

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Page(long[] points, @Nullable Object[] leaves, int[] slots) {}

  private volatile Page[] pages = {};

  /** Makes room for a spot. */
  void reach(int spot) {
    Page[] present = pages;
    int wanted = (spot >>> PAGE_BITS) + 1;
    if (wanted > present.length) {
      Page[] more = Arrays.copyOf(present, wanted);
      for (int i = present.length; i < wanted; i++) {
        more[i] = new Page(new long[PAGE], new Object[PAGE], new int[PAGE]);
      }
      pages = more;
    }
  }

  /** A spot's point; 0 outside of the index. */
  long point(int spot) {
    Page[] present = pages;
    int page = spot >>> PAGE_BITS;
    return page < present.length
        ? (long) POINTS.getAcquire(present[page].points, spot & (PAGE - 1))
        : 0;
  }

  void point(int spot, long point) {
    POINTS.setRelease(page(spot).points, spot & (PAGE - 1), point);
  }

  /** The leaf that holds a spot; null outside of the index. Its type is known to the index only. */
  @Nullable Object leaf(int spot) {
    return page(spot).leaves[spot & (PAGE - 1)];
  }

  int slot(int spot) {
    return page(spot).slots[spot & (PAGE - 1)];
  }

  void place(int spot, Object leaf, int slot) {
    Page page = page(spot);
    page.leaves[spot & (PAGE - 1)] = leaf;
    page.slots[spot & (PAGE - 1)] = slot;
  }

  void takeOut(int spot) {
    point(spot, 0);
    page(spot).leaves[spot & (PAGE - 1)] = null;
  }

  private Page page(int spot) {
    return pages[spot >>> PAGE_BITS];
  }
}
