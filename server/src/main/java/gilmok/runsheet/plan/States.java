package gilmok.runsheet.plan;

/**
 * The numbering of the states of a {@link Relaxation}: ((exact orders, base 3) * (number of other
 * pickups + 1) + those still open) * (number of other drop-offs + 1) + those still open. A step to
 * a place changes the number by a difference that depends on the place only. Immutable.
 */
final class States {
  private final SearchProblem search;

  /** The numbers of pickups and drop-offs of the other orders. */
  final int otherPickups;

  final int otherDropoffs;

  /** The number of states with the same exact orders. */
  final int others;

  /** The number of slots. A slot is a place to stop at; those of the other orders come first. */
  final int slots;

  /** The place of each slot, and the slot of each place. */
  final int[] placeOf;

  final int[] slotOf;

  /** The change of the state's number by a step to a slot. */
  final int[] step;

  /** The state before the first stop. */
  final int root;

  /** The first of the states in which all exact orders are delivered. */
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

  /** The size of a table over all states and slots, in numbers. */
  static long tableSize(SearchProblem search, int exact) {
    long others = (long) search.orders - exact + 1;
    return Math.round(Math.pow(3, exact)) * others * others * search.stops;
  }

  /** The number of states. */
  int count() {
    return delivered + others;
  }

  /** The number of exact orders on board. */
  static int load(int exactState) {
    int load = 0;
    for (int rest = exactState; rest > 0; rest /= 3) {
      load += rest % 3 == 1 ? 1 : 0;
    }
    return load;
  }

  /** Whether a state allows a step to a slot. */
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
