package gilmok.runsheet.plan;

/**
 * The states of a {@link Relaxation}, numbered: ((exact orders, base 3) * (open pickups of others +
 * 1) + those) * (open drop-offs of others + 1) + those. Going to a place changes the number by what
 * depends on the place alone. Never changes.
 */
final class States {
  private final SearchProblem search;

  /** How many pickups and drop-offs the other orders have. */
  final int otherPickups;

  final int otherDropoffs;

  /** How many states differ in the other orders only. */
  final int others;

  /** How many slots there are: the places to stop at, the others' pickups and drop-offs first. */
  final int slots;

  /** The place of a slot, and the slot of a place. */
  final int[] placeOf;

  final int[] slotOf;

  /** By how much going to a slot changes a state's number. */
  final int[] step;

  /** The state before the first stop. */
  final int root;

  /** The states whose exact orders are all delivered begin here. */
  final int delivered;

  States(SearchProblem search, int[] exact) {
    this.search = search;
    slots = search.stops;
    placeOf = new int[slots];
    slotOf = new int[search.width];
    boolean[] isExact = new boolean[search.orders];
    for (int order : exact) {
      isExact[order] = true;
    }
    int slot = 0;
    for (int round = 0; round < 2; round++) {
      for (int place = 0; place < search.start; place++) {
        if (search.isStop(place) && isExact[search.orderOf(place)] == (round == 1)) {
          placeOf[slot] = place;
          slotOf[place] = slot++;
        }
      }
    }
    int pickups = 0;
    int dropoffs = 0;
    for (int order = 0; order < search.orders; order++) {
      dropoffs += isExact[order] ? 0 : 1;
      pickups += isExact[order] || search.onBoard[order] ? 0 : 1;
    }
    otherPickups = pickups;
    otherDropoffs = dropoffs;
    others = (pickups + 1) * (dropoffs + 1);
    step = new int[slots];
    for (int other = 0; other < pickups + dropoffs; other++) {
      step[other] = other < pickups ? -(dropoffs + 1) : -1;
    }
    int first = 0;
    int weight = others;
    for (int order : exact) {
      if (search.onBoard[order]) {
        first += weight;
      } else {
        step[slotOf[order]] = weight;
      }
      step[slotOf[order + search.orders]] = weight;
      weight *= 3;
    }
    root = first + others - 1;
    delivered = weight - others;
  }

  /** How many numbers a table over all states and slots has. */
  static long tableSize(SearchProblem search, int exact) {
    long others = (long) search.orders - exact + 1;
    return Math.round(Math.pow(3, exact)) * others * others * search.stops;
  }

  /** How many states there are. */
  int count() {
    return delivered + others;
  }

  /** How many of the exact orders are on board. */
  static int load(int exactState) {
    int load = 0;
    for (int rest = exactState; rest > 0; rest /= 3) {
      load += rest % 3 == 1 ? 1 : 0;
    }
    return load;
  }

  /** Whether a slot can be gone to in a state. */
  boolean isOpen(int state, int slot) {
    int pickups = state % others / (otherDropoffs + 1);
    int dropoffs = state % (otherDropoffs + 1);
    boolean isPickup = search.isPickup(placeOf[slot]);
    if (isPickup && load(state / others) + dropoffs - pickups >= search.capacity) {
      return false;
    }
    if (slot < otherPickups) {
      return pickups > 0;
    }
    if (slot < otherPickups + otherDropoffs) {
      return dropoffs > pickups;
    }
    return state / step[slot] % 3 == (isPickup ? 0 : 1);
  }
}
