package gilmok.runsheet.plan;

/**
 * A route that changes: its places from start to end, and what it costs. Some orders may be missing
 * while it is mended. Not thread-safe: owned by one search.
 */
final class Tour {
  final int[] places;
  int length;
  long lateness;
  long travel;

  /** From start to end, and nothing between. */
  Tour(Ways ways) {
    places = new int[ways.width];
    clear(ways);
  }

  void clear(Ways ways) {
    places[0] = ways.start;
    places[1] = ways.end;
    length = 2;
    lateness = 0;
    travel = ways.cost(ways.start, ways.end);
  }

  void copy(Tour other) {
    System.arraycopy(other.places, 0, places, 0, other.length);
    length = other.length;
    lateness = other.lateness;
    travel = other.travel;
  }

  /** Puts a place behind the one at an index. */
  void insert(int index, int place) {
    System.arraycopy(places, index + 1, places, index + 2, length - index - 1);
    places[index + 1] = place;
    length++;
  }

  boolean isBetterThan(Tour other) {
    return lateness < other.lateness || (lateness == other.lateness && travel < other.travel);
  }
}
