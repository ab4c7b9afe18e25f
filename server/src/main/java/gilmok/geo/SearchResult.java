package gilmok.geo;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a search found, nearest first; and what searching needs, so that one of these is kept and
 * used again. Holds its spots until the next search or {@link #clear}.
 *
 * <p>Owned by one thread.
 */
public final class SearchResult<T extends IndexedPoint> {
  final SearchQueue queue = new SearchQueue();

  /** The farthest is on top, until they are sorted. */
  private final @Nullable Object[] spots;

  private final double[] haversines;
  private int size;
  private int limit;
  private double reach;
  private boolean complete;
  private int cellsSeen;

  /**
   * Has room for some.
   *
   * @param limitMax the most that a search may ask for
   */
  public SearchResult(int limitMax) {
    if (limitMax < 1) {
      throw new IllegalArgumentException("room for less than one");
    }
    spots = new Object[limitMax];
    haversines = new double[limitMax];
  }

  /** How many were found. */
  public int size() {
    return size;
  }

  /** The one with so many before it. */
  @SuppressWarnings("unchecked") // offer took a T
  public T spot(int index) {
    Object spot = index < size ? spots[index] : null;
    if (spot == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return (T) spot;
  }

  /** How far that one was from where the search began, when it was met. */
  public double metres(int index) {
    spot(index);
    return Distance.metres(haversines[index]);
  }

  /**
   * Whether nobody who stood there all the time can be missing. False only when thousands changed
   * cells during each of several walks in a row.
   */
  public boolean isComplete() {
    return complete;
  }

  /** How many cells the last search looked into. */
  public int cellsSeen() {
    return cellsSeen;
  }

  /** Lets go of what was found. */
  public void clear() {
    Arrays.fill(spots, 0, size, null);
    size = 0;
  }

  void begin(int limit, double reach) {
    clear();
    if (limit < 1 || limit > spots.length) {
      throw new IllegalArgumentException("a limit of " + limit + ", not of 1 to " + spots.length);
    }
    this.limit = limit;
    this.reach = reach;
  }

  /** Only what is nearer than this is of use. */
  double reach() {
    return reach;
  }

  boolean has(T spot) {
    for (int i = 0; i < size; i++) {
      if (spots[i] == spot) {
        return true;
      }
    }
    return false;
  }

  /** Takes a spot that is within reach; the farthest gives way. */
  void add(T spot, double haversine) {
    if (size < limit) {
      rise(spot, haversine);
    } else {
      sink(spot, haversine, size);
    }
    if (size == limit) {
      reach = haversines[0];
    }
  }

  /** Puts the nearest first. */
  void end(boolean complete, int cellsSeen) {
    this.complete = complete;
    this.cellsSeen = cellsSeen;
    for (int last = size - 1; last > 0; last--) {
      Object spot = spots[last];
      double haversine = haversines[last];
      spots[last] = spots[0];
      haversines[last] = haversines[0];
      sink(spot, haversine, last);
    }
  }

  private void rise(Object spot, double haversine) {
    int at = size++;
    while (at > 0 && haversines[(at - 1) / 2] < haversine) {
      int above = (at - 1) / 2;
      spots[at] = spots[above];
      haversines[at] = haversines[above];
      at = above;
    }
    spots[at] = spot;
    haversines[at] = haversine;
  }

  /** Puts it where the top was, among the first so many. */
  private void sink(@Nullable Object spot, double haversine, int size) {
    int at = 0;
    for (int below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && haversines[below + 1] > haversines[below]) {
        below++;
      }
      if (haversines[below] <= haversine) {
        break;
      }
      spots[at] = spots[below];
      haversines[at] = haversines[below];
      at = below;
    }
    spots[at] = spot;
    haversines[at] = haversine;
  }
}
