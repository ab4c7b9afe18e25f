package gilmok.runsheet.plan;

/**
 * A route under construction: its places from start to end, and its cost. Some orders may be
 * missing while it is changed. Not thread-safe: owned by one search.
 */
final class Tour {
  final int[] places;

  /** The cost from each place to the next. */
  final int[] legs;

  int length;
  long lateness;
  long travel;

  private final SearchProblem search;

  /** A route from start to end without stops. */
  Tour(SearchProblem search) {
    this.search = search;
    places = new int[search.width];
    legs = new int[search.width];
    places[0] = search.start;
    places[1] = search.end;
    length = 2;
    measure();
  }

  /**
   * A complete route.
   *
   * @param route its places, from start to end
   */
  Tour(SearchProblem search, int[] route) {
    this(search);
    length = route.length;
    System.arraycopy(route, 0, places, 0, length);
    measure();
  }

  /** Computes the legs and the travel. */
  void measure() {
    long sum = 0;
    for (int i = 0; i + 1 < length; i++) {
      int leg = search.cost(places[i], places[i + 1]);
      legs[i] = leg;
      sum += leg;
    }
    travel = sum;
  }

  void copy(Tour other) {
    System.arraycopy(other.places, 0, places, 0, other.length);
    System.arraycopy(other.legs, 0, legs, 0, other.length);
    length = other.length;
    lateness = other.lateness;
    travel = other.travel;
  }

  /** Inserts a place after the one at an index. */
  void insert(int index, int place) {
    System.arraycopy(places, index + 1, places, index + 2, length - index - 1);
    System.arraycopy(legs, index + 1, legs, index + 2, length - index - 2);
    places[index + 1] = place;
    legs[index] = search.cost(places[index], place);
    legs[index + 1] = search.cost(place, places[index + 2]);
    length++;
  }

  boolean isBetterThan(Tour other) {
    return lateness < other.lateness || (lateness == other.lateness && travel < other.travel);
  }
}
