package gilmok.runsheet.plan;

import java.util.Arrays;

/**
 * A smaller problem that every plan also solves, and what is left to be paid in each of its states.
 *
 * <p>Of some orders, the exact ones, it knows whether they are open, on board or delivered; of the
 * others only how many pickups and drop-offs are still to be made. So a plan of it may go to one of
 * the others twice and to another never; precedence and capacity it keeps in number. A prize for
 * each visit of a place, paid back in the end by every plan that goes there once, makes that dear:
 * the prizes are raised where it goes too seldom, and lowered where too often.
 *
 * <p>All is in units of 1/scale of the problem's, less the prizes collected. Not thread-safe.
 */
// State-space relaxation: N. Christofides, A. Mingozzi and P. Toth, Networks 11, 1981; prizes as
// Lagrange multipliers, climbed by subgradients as in M. Held and R. Karp, Math. Programming 1,
// 1971, with the direction kept in part (P. Camerini, L. Fratta and F. Maffioli, Math. Programming
// Study 3, 1975). That exact ones are added to where it goes wrong is T. Ibaraki's successive
// sublimation (Annals of Operations Research 11, 1987).
//
// No int overflows: costs are at most 2^27, prizes together at most 2^28, and what is too much or
// not possible is FAR, 2^29; so any sum of two is below 2^30, and FAR less all prizes is above any
// cost that is of use.
final class Relaxation {
  static final long UPPER_MAX = 1L << 27;

  private static final int SCALED_MAX = 1 << 25;
  private static final int PRIZES_MAX = 1 << 28;
  private static final int FAR = 1 << 29;
  private static final double STEP_FIRST = 1.4;
  private static final double STEP_LAST = 0.04;
  private static final double KEPT = 0.6;

  private final Ways ways;
  private final long upper;
  private final int[] exact;
  private final int otherPickups;
  private final int otherDropoffs;

  /** How many places there are to stop at, numbered so that the others' are first. */
  final int slots;

  final int scale;

  /** The place of a slot, and the slot of a place. */
  final int[] placeOf;

  final int[] slotOf;

  /** By how much going to a slot changes a state's number. */
  final int[] step;

  /** The state before the first stop. */
  final int root;

  /** What is left to be paid: by state, then by the slot the rider is at. */
  final int[] left;

  /** From row to column, less the prize there. */
  final int[] onward;

  /** From column to row, less the prize of the row. */
  private final int[] waysTo;

  final int[] fromStart;
  private final int[] toEnd;

  /** By place. */
  private int[] prizes;

  private long prizesTogether;
  private long best = Long.MIN_VALUE;
  private final int[] violations;

  /**
   * A relaxation.
   *
   * @param upper what a plan costs that is known
   * @param exact the orders whose state it knows
   * @param prizes what to begin with, by place
   */
  Relaxation(Ways ways, long upper, int[] exact, int[] prizes) {
    this.ways = ways;
    this.upper = upper;
    this.exact = exact;
    this.prizes = prizes.clone();
    scale = (int) Math.max(1, SCALED_MAX / Math.max(1, upper));
    slots = ways.stops;
    placeOf = new int[slots];
    slotOf = new int[ways.width];
    violations = new int[ways.orders];
    boolean[] isExact = new boolean[ways.orders];
    for (int order : exact) {
      isExact[order] = true;
    }
    int slot = 0;
    for (int round = 0; round < 2; round++) {
      for (int place = 0; place < ways.start; place++) {
        if (ways.isStop(place) && isExact[ways.orderOf(place)] == (round == 1)) {
          placeOf[slot] = place;
          slotOf[place] = slot++;
        }
      }
    }
    int pickups = 0;
    int dropoffs = 0;
    for (int order = 0; order < ways.orders; order++) {
      dropoffs += isExact[order] ? 0 : 1;
      pickups += isExact[order] || ways.onBoard[order] ? 0 : 1;
    }
    otherPickups = pickups;
    otherDropoffs = dropoffs;
    step = new int[slots];
    root = number();
    left = new int[(int) (states(ways, exact) * slots)];
    onward = new int[slots * slots];
    waysTo = new int[slots * slots];
    fromStart = new int[slots];
    toEnd = new int[slots];
  }

  /** How many states a relaxation has. */
  static long states(Ways ways, int[] exact) {
    long dropoffs = (long) ways.orders - exact.length;
    long pickups = dropoffs;
    long count = 1;
    for (int order = 0; order < ways.orders; order++) {
      pickups -= ways.onBoard[order] ? 1 : 0;
    }
    for (int order : exact) {
      pickups += ways.onBoard[order] ? 1 : 0;
      count *= 3;
    }
    return count * (pickups + 1) * (dropoffs + 1);
  }

  /** Prizes to begin with: half of the cheapest ways to and from a place. */
  static int[] firstPrizes(Ways ways, long upper) {
    int[] prizes = new int[ways.width];
    long scale = Math.max(1, SCALED_MAX / Math.max(1, upper));
    for (int place = 0; place < ways.start; place++) {
      if (!ways.isStop(place)) {
        continue;
      }
      int in = ways.cost(ways.start, place);
      int out = ways.cost(place, ways.end);
      for (int other = 0; other < ways.start; other++) {
        if (other != place && ways.isStop(other)) {
          in = Math.min(in, ways.cost(other, place));
          out = Math.min(out, ways.cost(place, other));
        }
      }
      prizes[place] = clamp(ways, (in + (double) out) / 2 * scale);
    }
    return prizes;
  }

  private static int clamp(Ways ways, double prize) {
    int most = PRIZES_MAX / ways.stops;
    return Math.clamp(Math.round(prize), -most, most);
  }

  /** Numbers the states; a state is ((exact states, base 3) * pickups + ...) * drop-offs + ... */
  private int number() {
    int size = (otherPickups + 1) * (otherDropoffs + 1);
    for (int slot = 0; slot < slots; slot++) {
      step[slot] = slot < otherPickups ? -(otherDropoffs + 1) : -1;
    }
    int first = 0;
    int weight = size;
    for (int order : exact) {
      if (ways.onBoard[order]) {
        first += weight;
      } else {
        step[slotOf[order]] = weight;
      }
      step[slotOf[order + ways.orders]] = weight;
      weight *= 3;
    }
    return first + size - 1;
  }

  /** How often it went wrong at an order since it was made. */
  int[] violations() {
    return violations;
  }

  /** The best prizes, by place. */
  int[] prizes() {
    return prizes;
  }

  /** What all prizes are together. */
  long prizesTogether() {
    return prizesTogether;
  }

  /** What is proven that no plan costs less than. */
  long bound() {
    return best == Long.MIN_VALUE ? 0 : Math.max(0, Math.ceilDiv(best, scale));
  }

  /**
   * Climbs, and leaves the table as it is with the best prizes found.
   *
   * @param until the share of the budget at which to end
   * @return whether the table is whole; if not, it is of no use
   */
  boolean climb(Budget budget, double until, int rounds) {
    double[] direction = new double[ways.width];
    int[] visits = new int[ways.width];
    int[] tried = prizes.clone();
    for (int round = 0; round < rounds; round++) {
      double share = rounds == 1 ? 0 : (double) round / (rounds - 1);
      if (!fill(tried, budget, until)) {
        return false;
      }
      long value = value(visits);
      if (value > best) {
        best = value;
        prizes = tried.clone();
      }
      if (bound() >= upper) {
        break;
      }
      double norm = 0;
      for (int place : placeOf) {
        violations[ways.orderOf(place)] += Math.abs(visits[place] - 1);
        direction[place] = KEPT * direction[place] + 1 - visits[place];
        norm += direction[place] * direction[place];
      }
      if (norm == 0) {
        break;
      }
      double length = STEP_FIRST * Math.pow(STEP_LAST / STEP_FIRST, share);
      length *= Math.max(scale, upper * (double) scale - value) / norm;
      for (int place : placeOf) {
        tried[place] = clamp(ways, tried[place] + length * direction[place]);
      }
    }
    return Arrays.equals(tried, prizes) || fill(prizes, budget, until);
  }

  /** The value of the root, and where its plan goes how often. */
  private long value(int[] visits) {
    Arrays.fill(visits, 0);
    int state = root;
    int at = -1;
    long value = 0;
    for (int stop = 0; stop < ways.stops; stop++) {
      int least = Integer.MAX_VALUE;
      int next = -1;
      for (int slot = 0; slot < slots; slot++) {
        if (isOpen(state, slot)) {
          int way = at < 0 ? fromStart[slot] : onward[at * slots + slot];
          int sum = way + left[(state + step[slot]) * slots + slot];
          if (sum < least) {
            least = sum;
            next = slot;
          }
        }
      }
      if (stop == 0) {
        value = least + prizesTogether;
      }
      visits[placeOf[next]]++;
      state += step[next];
      at = next;
    }
    return value;
  }

  /** Whether a slot can be gone to in a state. */
  private boolean isOpen(int state, int slot) {
    int size = (otherPickups + 1) * (otherDropoffs + 1);
    int pickups = state % size / (otherDropoffs + 1);
    int dropoffs = state % (otherDropoffs + 1);
    int place = placeOf[slot];
    if (ways.isPickup(place) && load(state / size) + dropoffs - pickups >= ways.capacity) {
      return false;
    }
    if (slot < otherPickups) {
      return pickups > 0;
    }
    if (slot < otherPickups + otherDropoffs) {
      return dropoffs > pickups;
    }
    int weight = step[slot];
    return state / weight % 3 == (ways.isPickup(place) ? 0 : 1);
  }

  private static int load(int exactState) {
    int load = 0;
    for (int rest = exactState; rest > 0; rest /= 3) {
      load += rest % 3 == 1 ? 1 : 0;
    }
    return load;
  }

  private boolean fill(int[] with, Budget budget, double until) {
    price(with);
    int size = (otherPickups + 1) * (otherDropoffs + 1);
    for (int exactState = left.length / slots / size - 1; exactState >= 0; exactState--) {
      int load = load(exactState);
      for (int pickups = 0; pickups <= otherPickups; pickups++) {
        for (int dropoffs = pickups; dropoffs <= otherDropoffs; dropoffs++) {
          int all = load + dropoffs - pickups;
          if (all <= ways.capacity) {
            int state = exactState * size + pickups * (otherDropoffs + 1) + dropoffs;
            fill(state, exactState, pickups, dropoffs, all < ways.capacity);
          }
        }
        if (slots * otherDropoffs > 500 && budget.used() >= until) {
          return false;
        }
      }
      if ((exactState & 15) == 0 && budget.used() >= until) {
        return false;
      }
    }
    return true;
  }

  private void fill(int state, int exactState, int pickups, int dropoffs, boolean hasRoom) {
    int row = state * slots;
    if (pickups == 0 && dropoffs == 0 && isLast(exactState)) {
      System.arraycopy(toEnd, 0, left, row, slots);
      return;
    }
    Arrays.fill(left, row, row + slots, FAR);
    int last = otherPickups + otherDropoffs;
    if (pickups > 0 && hasRoom) {
      for (int slot = 0; slot < otherPickups; slot++) {
        relax(row, state + step[slot], slot);
      }
    }
    if (dropoffs > pickups) {
      for (int slot = otherPickups; slot < last; slot++) {
        relax(row, state + step[slot], slot);
      }
    }
    int rest = exactState;
    for (int order : exact) {
      int digit = rest % 3;
      rest /= 3;
      if (digit == 1) {
        int slot = slotOf[order + ways.orders];
        relax(row, state + step[slot], slot);
      } else if (digit == 0 && hasRoom && !ways.onBoard[order]) {
        int slot = slotOf[order];
        relax(row, state + step[slot], slot);
      }
    }
  }

  private boolean isLast(int exactState) {
    int all = 0;
    for (int i = 0; i < exact.length; i++) {
      all = 3 * all + 2;
    }
    return exactState == all;
  }

  /** Going on to a slot, from wherever the rider is. */
  private void relax(int row, int next, int slot) {
    int then = left[next * slots + slot];
    if (then >= FAR) {
      return;
    }
    int from = slot * slots;
    for (int at = 0; at < slots; at++) {
      left[row + at] = Math.min(left[row + at], waysTo[from + at] + then);
    }
  }

  private void price(int[] with) {
    prizesTogether = 0;
    for (int to = 0; to < slots; to++) {
      int prize = with[placeOf[to]];
      prizesTogether += prize;
      fromStart[to] = scaled(ways.start, placeOf[to]) - prize;
      toEnd[to] = scaled(placeOf[to], ways.end);
      for (int at = 0; at < slots; at++) {
        boolean isBack = placeOf[at] == placeOf[to] + ways.orders;
        int way = at == to || isBack ? FAR : scaled(placeOf[at], placeOf[to]) - prize;
        waysTo[to * slots + at] = way;
        onward[at * slots + to] = way;
      }
    }
  }

  private int scaled(int a, int b) {
    return (int) Math.min(ways.cost(a, b), upper + 1) * scale;
  }
}
