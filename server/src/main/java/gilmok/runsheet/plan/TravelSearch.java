package gilmok.runsheet.plan;

import org.jspecify.annotations.Nullable;

/**
 * Finds the plan of least travel, or proves that no plan is cheaper than a known one. Dynamic
 * programming: a state is the sets of open, on-board and delivered orders and the last stop, and
 * each layer has one stop more. States from which the known plan cannot be improved, by the bounds
 * of a {@link Relaxation}, are dropped. It gives up when there are too many states or the budget is
 * used, and keeps the bound proven until then. Not thread-safe.
 */
// H. Psaraftis, A Dynamic Programming Solution to the Single Vehicle Many-to-Many Immediate Request
// Dial-a-Ride Problem, Transportation Science 14, 1980. The last stop of a state is its order's
// pickup if that order is on board, else its drop-off: so the key names only the order.
final class TravelSearch {
  /**
   * A key holds the set of open orders and the set of those on board, with this many bits each, and
   * the number of the last order.
   */
  static final int ORDERS_MAX = 28;

  private static final int HISTORY_MAX = 12_000_000;
  private static final int ASKED_EVERY = 0xff;

  private final SearchProblem search;
  private final Relaxation relaxation;
  private final long upper;
  private final int statesMax;
  private final int limit;
  private final int[][] parents;
  private final byte[][] lasts;
  private int history;
  private Layer from = new Layer();
  private Layer into = new Layer();
  private long bound;
  private int @Nullable [] route;

  TravelSearch(SearchProblem search, Relaxation relaxation, long upper, int statesMax) {
    this.search = search;
    this.relaxation = relaxation;
    this.upper = upper;
    this.statesMax = Math.min(statesMax, HISTORY_MAX);
    long most = (upper - 1) * relaxation.scale - relaxation.prizesTogether();
    limit = (int) Math.min(most, Integer.MAX_VALUE / 2);
    parents = new int[search.stops + 1][];
    lasts = new byte[search.stops + 1][];
    bound = relaxation.bound();
  }

  /** The proven lower bound of every plan's cost; the best cost itself after a complete search. */
  long bound() {
    return bound;
  }

  /** The cheapest plan, if it is cheaper than the known one; otherwise null. */
  int @Nullable [] route() {
    return route;
  }

  /** Runs to the end, or until the share of the budget is used or there are too many states. */
  void run(Budget budget, double until) {
    if (relaxation.bound() >= upper) {
      bound = upper;
      return;
    }
    begin();
    for (int stops = 1; stops < search.stops; stops++) {
      into.clear();
      int expanded = expand(budget, until);
      if (expanded < from.size) {
        giveUp(expanded);
        return;
      }
      keep(stops);
      Layer done = from;
      from = into;
      into = done;
    }
    keep(search.stops);
    finish();
  }

  private void begin() {
    int n = search.orders;
    long open = 0;
    long aboard = 0;
    for (int order = 0; order < n; order++) {
      open |= search.onBoard[order] ? 0 : 1L << order;
      aboard |= search.onBoard[order] ? 1L << order : 0;
    }
    from.clear();
    for (int slot = 0; slot < relaxation.states.slots; slot++) {
      int place = relaxation.states.placeOf[slot];
      int order = search.orderOf(place);
      boolean isPickup = search.isPickup(place);
      if (isPickup ? search.load >= search.capacity : !search.onBoard[order]) {
        continue;
      }
      long bit = 1L << order;
      long key = isPickup ? key(open & ~bit, aboard | bit, order) : key(open, aboard & ~bit, order);
      go(key, relaxation.states.root, relaxation.fromStart[slot], slot, -1);
    }
  }

  private long key(long open, long aboard, int order) {
    return (long) order << (2 * search.orders) | aboard << search.orders | open;
  }

  private void go(long key, int base, int cost, int slot, int parent) {
    int next = base + relaxation.states.step[slot];
    if (cost + relaxation.left[next * relaxation.states.slots + slot] <= limit) {
      (parent < 0 ? from : into).put(key, next, cost, parent);
    }
  }

  /** Expands the states of a layer; returns how many it expanded. */
  private int expand(Budget budget, double until) {
    int n = search.orders;
    int slots = relaxation.states.slots;
    long all = (1L << n) - 1;
    int[] step = relaxation.states.step;
    int[] left = relaxation.left;
    int[] onward = relaxation.onward;
    for (int index = 0; index < from.size; index++) {
      boolean isFull = into.size + 2 * n > Layer.STATES_MAX || history + into.size > statesMax;
      if (isFull || ((index & ASKED_EVERY) == 0 && budget.used() >= until)) {
        return index;
      }
      long key = from.keys[index];
      long open = key & all;
      long aboard = key >>> n & all;
      int last = (int) (key >>> (2 * n));
      int at = relaxation.states.slotOf[(aboard >>> last & 1) != 0 ? last : last + n];
      int base = from.bases[index];
      int paid = from.paid[index];
      for (long rest = aboard; rest != 0; rest &= rest - 1) {
        int order = Long.numberOfTrailingZeros(rest);
        int slot = relaxation.states.slotOf[order + n];
        int cost = paid + onward[at * slots + slot];
        int next = base + step[slot];
        if (cost + left[next * slots + slot] <= limit) {
          into.put(key(open, aboard & ~(1L << order), order), next, cost, index);
        }
      }
      if (Long.bitCount(aboard) < search.capacity) {
        for (long rest = open; rest != 0; rest &= rest - 1) {
          int order = Long.numberOfTrailingZeros(rest);
          int slot = relaxation.states.slotOf[order];
          int cost = paid + onward[at * slots + slot];
          int next = base + step[slot];
          if (cost + left[next * slots + slot] <= limit) {
            long bit = 1L << order;
            into.put(key(open & ~bit, aboard | bit, order), next, cost, index);
          }
        }
      }
    }
    return from.size;
  }

  /** Keeps what tracing the route back needs of a layer; its keys are no longer needed. */
  private void keep(int stops) {
    int[] parent = new int[from.size];
    byte[] last = new byte[from.size];
    System.arraycopy(from.parents, 0, parent, 0, from.size);
    for (int i = 0; i < from.size; i++) {
      long key = from.keys[i];
      int order = (int) (key >>> (2 * search.orders));
      boolean isAboard = (key >>> search.orders >>> order & 1) != 0;
      last[i] = (byte) (isAboard ? order : order + search.orders);
    }
    parents[stops] = parent;
    lasts[stops] = last;
    history += from.size;
  }

  /** Computes the bound proven so far: every better plan continues from one of these states. */
  private void giveUp(int expanded) {
    long least = (upper - 1) * relaxation.scale + 1;
    for (int i = expanded; i < from.size; i++) {
      least = Math.min(least, value(from, i));
    }
    for (int i = 0; i < into.size; i++) {
      least = Math.min(least, value(into, i));
    }
    bound = Math.max(bound, Math.min(upper, Math.ceilDiv(least, relaxation.scale)));
  }

  private long value(Layer layer, int index) {
    int order = (int) (layer.keys[index] >>> (2 * search.orders));
    boolean isAboard = (layer.keys[index] >>> search.orders >>> order & 1) != 0;
    int slot = relaxation.states.slotOf[isAboard ? order : order + search.orders];
    int left = relaxation.left[layer.bases[index] * relaxation.states.slots + slot];
    return (long) layer.paid[index] + left + relaxation.prizesTogether();
  }

  private void finish() {
    bound = upper;
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < from.size; i++) {
      if (value(from, i) < least) {
        least = value(from, i);
        best = i;
      }
    }
    if (best < 0) {
      return;
    }
    bound = least / relaxation.scale;
    int[] found = new int[search.stops + 2];
    found[search.stops + 1] = search.end;
    for (int stops = search.stops; stops > 0; stops--) {
      found[stops] = lasts[stops][best];
      best = parents[stops][best];
    }
    found[0] = search.start;
    route = found;
  }
}
