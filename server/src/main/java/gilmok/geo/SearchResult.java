package gilmok.geo;

/**
 * The spots that a search found, nearest first, and the buffers that a search needs. It is made
 * once and used for many searches. It holds its spots until the next search.
 *
 * <p>Not thread-safe: owned by one thread.
 */
public final class SearchResult {
  final SearchQueue queue = new SearchQueue();

  /** A heap with the farthest spot on top during a search; sorted after it. */
  private final int[] spots;

  private final double[] haversines;
  private int size;
  private int limit;
  private double reach;
  private boolean complete;
  private int cellsSeen;

  /**
   * An empty result.
   *
   * @param limitMax the highest limit that a search may have
   * @throws IllegalArgumentException when it is below 1
   */
  public SearchResult(int limitMax) {
    if (limitMax < 1) {
      throw new IllegalArgumentException("room for less than one");
    }
    spots = new int[limitMax];
    haversines = new double[limitMax];
  }

  /** The number of spots found. */
  public int size() {
    return size;
  }

  /**
   * The spot at an index, from 0 for the nearest.
   *
   * @throws IndexOutOfBoundsException when fewer were found
   */
  public int spot(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return spots[index];
  }

  /** The distance in metres of the spot at an index, measured when the search met it. */
  public double metres(int index) {
    spot(index);
    return Distance.metres(haversines[index]);
  }

  /**
   * Whether every spot that stayed in the searched area was found. False only when thousands of
   * spots changed cells during each of several attempts.
   */
  public boolean isComplete() {
    return complete;
  }

  /** How many cells the last search visited. */
  public int cellsSeen() {
    return cellsSeen;
  }

  void begin(int limit, double reach) {
    if (limit < 1 || limit > spots.length) {
      throw new IllegalArgumentException("a limit of " + limit + ", not of 1 to " + spots.length);
    }
    size = 0;
    this.limit = limit;
    this.reach = reach;
  }

  /** The haversine that a spot must be below to enter the result. */
  double reach() {
    return reach;
  }

  boolean has(int spot) {
    for (int i = 0; i < size; i++) {
      if (spots[i] == spot) {
        return true;
      }
    }
    return false;
  }

  /** Adds a spot within reach; if the result is full, the farthest spot is removed. */
  void add(int spot, double haversine) {
    if (size < limit) {
      rise(spot, haversine);
    } else {
      sink(spot, haversine, size);
    }
    if (size == limit) {
      reach = haversines[0];
    }
  }

  /** Sorts the spots, nearest first. */
  void end(boolean complete, int cellsSeen) {
    this.complete = complete;
    this.cellsSeen = cellsSeen;
    for (int last = size - 1; last > 0; last--) {
      int spot = spots[last];
      double haversine = haversines[last];
      spots[last] = spots[0];
      haversines[last] = haversines[0];
      sink(spot, haversine, last);
    }
  }

  private void rise(int spot, double haversine) {
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

  /**
   * Restores the heap of the first {@code size} spots: puts this spot in the place of the top one.
   */
  private void sink(int spot, double haversine, int size) {
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
