package gilmok.runsheet.plan;

import java.util.Arrays;

/**
 * A relaxation of the problem: a smaller problem whose solutions include every plan, with the least
 * remaining cost from each of its states.
 *
 * <p>For some orders, the exact ones, a state says whether they are open, on board or delivered.
 * For the others it only counts the pickups and drop-offs still to be made. So a solution may visit
 * one of the others twice and another never; precedence and capacity hold for their numbers only.
 * Prizes make such solutions expensive: each visit of a place collects its prize, and in the end
 * the sum of all prizes is paid back, so a plan that visits each place once loses nothing. The
 * prizes of places visited too seldom are raised, those of places visited too often are lowered.
 *
 * <p>All costs are in units of 1/scale of the problem's, less the prizes collected. Not
 * thread-safe.
 */
// State-space relaxation: N. Christofides, A. Mingozzi and P. Toth, Networks 11, 1981; prizes as
// Lagrange multipliers, climbed by subgradients as in M. Held and R. Karp, Math. Programming 1,
// 1971, with the direction kept in part (P. Camerini, L. Fratta and F. Maffioli, Math. Programming
// Study 3, 1975). Orders become exact where the relaxation violates them: T. Ibaraki's successive
// sublimation (Annals of Operations Research 11, 1987).
//
// No int overflows. Costs are at most 2^27, and so is the sum of all prizes. FAR, 2^29, stands for
// what is too expensive or not possible. The sum of two FAR is 2^30, and FAR less twice the sum of
// all prizes is above any cost of use.
final class Relaxation {
  static final long UPPER_MAX = 1L << 27;

  private static final int SCALED_MAX = 1 << 24;
  private static final int PRIZES_MAX = 1 << 27;
  private static final int FAR = 1 << 29;
  private static final double STEP_LAST = 0.04;
  private static final double KEPT = 0.6;

  private final SearchProblem search;
  private final long upper;
  private final int[] exact;

  /** The states of this relaxation. */
  final States states;

  final int scale;
  private final int slots;

  /** The least remaining cost: by state, then by the slot of the rider. */
  final int[] left;

  /** The cost from row to column, less the prize of the column. */
  final int[] onward;

  final int[] fromStart;
  private final int[] toEnd;
  private final int[] then;

  /** By place. */
  private int[] prizes;

  private long prizesTogether;
  private long best = Long.MIN_VALUE;
  private final int[] violations;

  /**
   * A relaxation.
   *
   * @param upper the cost of a known plan
   * @param exact the exact orders
   * @param prizes the initial prizes, by place
   */
  Relaxation(SearchProblem search, long upper, int[] exact, int[] prizes) {
    this.search = search;
    this.upper = upper;
    this.exact = exact;
    this.prizes = prizes.clone();
    scale = (int) Math.max(1, SCALED_MAX / Math.max(1, upper));
    states = new States(search, exact);
    slots = states.slots;
    violations = new int[search.orders];
    left = new int[states.count() * slots];
    onward = new int[slots * slots];
    then = new int[slots];
    fromStart = new int[slots];
    toEnd = new int[slots];
  }

  /** Initial prizes: half of the cheapest ways to and from each place. */
  static int[] firstPrizes(SearchProblem search, long upper) {
    int[] prizes = new int[search.width];
    long scale = Math.max(1, SCALED_MAX / Math.max(1, upper));
    for (int place = 0; place < search.start; place++) {
      if (!search.isStop(place)) {
        continue;
      }
      int in = search.cost(search.start, place);
      int out = search.cost(place, search.end);
      for (int other = 0; other < search.start; other++) {
        if (other != place && search.isStop(other)) {
          in = Math.min(in, search.cost(other, place));
          out = Math.min(out, search.cost(place, other));
        }
      }
      prizes[place] = clamp(search, (in + (double) out) / 2 * scale);
    }
    return prizes;
  }

  private static int clamp(SearchProblem search, double prize) {
    int most = PRIZES_MAX / search.stops;
    return Math.clamp(Math.round(prize), -most, most);
  }

  /** For each order, how often its visits differed from one, since this object was made. */
  int[] violations() {
    return violations;
  }

  /** The best prizes, by place. */
  int[] prizes() {
    return prizes;
  }

  /** The sum of all prizes. */
  long prizesTogether() {
    return prizesTogether;
  }

  /** The proven lower bound of the cost of every plan. */
  long bound() {
    return best == Long.MIN_VALUE ? 0 : Math.max(0, Math.ceilDiv(best, scale));
  }

  /**
   * Improves the prizes by subgradient steps, and leaves the table filled with the best prizes
   * found.
   *
   * @param until the share of the budget at which to end
   * @param first the length of the first step, above 0.04, the last one's
   * @return whether the table is complete; otherwise it must not be used
   */
  boolean climb(Budget budget, double until, int rounds, double first) {
    double[] direction = new double[search.width];
    int[] visits = new int[search.width];
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
      for (int place : states.placeOf) {
        violations[search.orderOf(place)] += Math.abs(visits[place] - 1);
        direction[place] = KEPT * direction[place] + 1 - visits[place];
        norm += direction[place] * direction[place];
      }
      if (norm == 0 || round == rounds - 1) {
        break;
      }
      double length = first * Math.pow(STEP_LAST / first, share);
      length *= Math.max(scale, upper * (double) scale - value) / norm;
      for (int place : states.placeOf) {
        tried[place] = clamp(search, tried[place] + length * direction[place]);
      }
    }
    return Arrays.equals(tried, prizes) || fill(prizes, budget, until);
  }

  /** The value of the root, and in {@code visits} how often its solution visits each place. */
  private long value(int[] visits) {
    Arrays.fill(visits, 0);
    int state = states.root;
    int at = -1;
    long value = 0;
    for (int stop = 0; stop < search.stops; stop++) {
      int least = Integer.MAX_VALUE;
      int next = -1;
      for (int slot = 0; slot < slots; slot++) {
        if (states.isOpen(state, slot)) {
          int way = at < 0 ? fromStart[slot] : onward[at * slots + slot];
          int sum = way + left[(state + states.step[slot]) * slots + slot];
          if (sum < least) {
            least = sum;
            next = slot;
          }
        }
      }
      if (stop == 0) {
        value = least + prizesTogether;
      }
      int place = states.placeOf[next];
      int order = search.orderOf(place);
      if (!search.isPickup(place) && !search.onBoard[order] && visits[order] == 0) {
        violations[order]++;
      }
      visits[place]++;
      state += states.step[next];
      at = next;
    }
    return value;
  }

  private boolean fill(int[] with, Budget budget, double until) {
    price(with);
    int pickupsMost = states.otherPickups;
    int dropoffsMost = states.otherDropoffs;
    for (int exactState = states.count() / states.others - 1; exactState >= 0; exactState--) {
      int load = States.load(exactState);
      for (int pickups = 0; pickups <= pickupsMost; pickups++) {
        for (int dropoffs = pickups; dropoffs <= dropoffsMost; dropoffs++) {
          int all = load + dropoffs - pickups;
          if (all <= search.capacity) {
            int state = exactState * states.others + pickups * (dropoffsMost + 1) + dropoffs;
            fill(state, exactState, pickups, dropoffs, all < search.capacity);
          }
        }
        if (slots * dropoffsMost > 500 && budget.used() >= until) {
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
    if (state == states.delivered) {
      System.arraycopy(toEnd, 0, left, row, slots);
      return;
    }
    look(state, exactState, pickups, dropoffs, hasRoom);
    int others = states.otherPickups + states.otherDropoffs;
    for (int at = 0; at < others; at++) {
      left[row + at] = least(at);
    }
    int rest = exactState;
    for (int order : exact) {
      int digit = rest % 3;
      rest /= 3;
      if (digit != 0 && (digit == 2 || !search.onBoard[order])) {
        int at = states.slotOf[digit == 1 ? order : order + search.orders];
        left[row + at] = least(at);
      }
    }
  }

  /** Fills {@code then} with the least remaining cost after a step from a state to each slot. */
  private void look(int state, int exactState, int pickups, int dropoffs, boolean hasRoom) {
    Arrays.fill(then, FAR);
    int otherPickups = states.otherPickups;
    int others = otherPickups + states.otherDropoffs;
    if (pickups > 0 && hasRoom) {
      look(state, 0, otherPickups);
    }
    if (dropoffs > pickups) {
      look(state, otherPickups, others);
    }
    int rest = exactState;
    for (int order : exact) {
      int digit = rest % 3;
      rest /= 3;
      if (digit == 1) {
        int slot = states.slotOf[order + search.orders];
        look(state, slot, slot + 1);
      } else if (digit == 0 && hasRoom && !search.onBoard[order]) {
        int slot = states.slotOf[order];
        look(state, slot, slot + 1);
      }
    }
  }

  private void look(int state, int first, int end) {
    for (int slot = first; slot < end; slot++) {
      then[slot] = left[(state + states.step[slot]) * slots + slot];
    }
  }

  /**
   * The least remaining cost from a slot on. The loop is simple so that the compiler vectorizes it.
   */
  private int least(int at) {
    int from = at * slots;
    int least = FAR;
    for (int slot = 0; slot < slots; slot++) {
      least = Math.min(least, onward[from + slot] + then[slot]);
    }
    return least;
  }

  private void price(int[] with) {
    prizesTogether = 0;
    for (int to = 0; to < slots; to++) {
      int prize = with[states.placeOf[to]];
      prizesTogether += prize;
      fromStart[to] = scaled(search.start, states.placeOf[to]) - prize;
      toEnd[to] = scaled(states.placeOf[to], search.end);
      for (int at = 0; at < slots; at++) {
        boolean isBack = states.placeOf[at] == states.placeOf[to] + search.orders;
        int way = at == to || isBack ? FAR : scaled(states.placeOf[at], states.placeOf[to]) - prize;
        onward[at * slots + to] = way;
      }
    }
  }

  private int scaled(int a, int b) {
    return (int) Math.min(search.cost(a, b), upper + 1) * scale;
  }
}
