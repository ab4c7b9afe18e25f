package gilmok.runsheet.plan;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the plan of least lateness and, among those, of least travel; or proves that no plan is
 * better than a known one. It works like {@link TravelSearch}, but a state can have several ways to
 * it, because the time at which it is reached matters too. Not thread-safe.
 */
// Dominance: travel takes the same time at any hour and waiting is allowed, so an earlier arrival
// is never worse than a later one. A way to a state is dropped if another way to it is at least as
// early, as little late and as cheap.
//
// Bound of lateness: from a state, an order on board is delivered no earlier than by the shortest
// way to its drop-off; another order no earlier than by the shortest way to its pickup and, once it
// is ready, from there to its drop-off. Bound of travel: each place still to be visited costs at
// least the cheapest way to it.
final class LateSearch {
  static final int ORDERS_MAX = TravelSearch.ORDERS_MAX;

  private static final int HISTORY_MAX = 12_000_000;
  private static final int ASKED_EVERY = 0x3f;

  private final SearchProblem search;
  private final PlaceTimes times;
  private final Tour known;
  private final long[] shortest;
  private final long[] cheapest;
  private final int[][] parents;
  private final byte[][] lasts;
  private int history;
  private LateLayer from = new LateLayer();
  private LateLayer into = new LateLayer();
  private LowerBound bound = LowerBound.NONE;
  private int @Nullable [] route;

  LateSearch(SearchProblem search, Tour known) {
    this.search = search;
    this.known = known;
    times = new PlaceTimes(search);
    shortest = shortest(search);
    cheapest = new long[search.width];
    for (int place = 0; place < search.width; place++) {
      cheapest[place] = cheapest(place);
    }
    parents = new int[search.stops + 1][];
    lasts = new byte[search.stops + 1][];
  }

  private static long[] shortest(SearchProblem search) {
    int width = search.width;
    long[] shortest = new long[width * width];
    for (int i = 0; i < shortest.length; i++) {
      shortest[i] = search.to[i];
    }
    for (int over = 0; over < search.start; over++) {
      if (!search.isStop(over)) {
        continue;
      }
      for (int a = 0; a < width; a++) {
        for (int b = 0; b < width; b++) {
          long way = shortest[a * width + over] + shortest[over * width + b];
          shortest[a * width + b] = Math.min(shortest[a * width + b], way);
        }
      }
    }
    return shortest;
  }

  private long cheapest(int place) {
    long least = place == search.end ? Long.MAX_VALUE : search.cost(search.start, place);
    for (int other = 0; other < search.start; other++) {
      if (other != place && search.isStop(other)) {
        least = Math.min(least, search.cost(other, place));
      }
    }
    return least;
  }

  /** The proven lower bound of all plans. */
  LowerBound bound() {
    return bound;
  }

  /** The best plan, from start to end; null if it is no better than the known one. */
  int @Nullable [] route() {
    return route;
  }

  /** Runs to the end, or until the share of the budget is used or there are too many ways. */
  void run(Budget budget, double until) {
    long open = 0;
    long aboard = 0;
    for (int order = 0; order < search.orders; order++) {
      open |= search.onBoard[order] ? 0 : 1L << order;
      aboard |= search.onBoard[order] ? 1L << order : 0;
    }
    into.clear();
    expand(search.start, open, aboard, 0, 0, 0, -1);
    turn();
    for (int stops = 1; stops < search.stops; stops++) {
      into.clear();
      for (int index = 0; index < from.size; index++) {
        boolean isFull =
            into.size + search.width > LateLayer.LABELS_MAX || history + into.size > HISTORY_MAX;
        if (isFull || ((index & ASKED_EVERY) == 0 && budget.used() >= until)) {
          giveUp(index);
          return;
        }
        expand(index);
      }
      keep(stops);
      turn();
    }
    keep(search.stops);
    finish();
  }

  private void turn() {
    LateLayer done = from;
    from = into;
    into = done;
  }

  private void expand(int index) {
    if (!from.isDead(index)) {
      long all = (1L << search.orders) - 1;
      long key = from.keys[index];
      expand(
          last(key),
          key & all,
          key >>> search.orders & all,
          from.times[index],
          from.lates[index],
          from.travels[index],
          index);
    }
  }

  private int last(long key) {
    int order = (int) (key >>> (2 * search.orders));
    boolean isAboard = (key >>> search.orders >>> order & 1) != 0;
    return isAboard ? order : order + search.orders;
  }

  private void expand(
      int at, long open, long aboard, long time, long late, long travel, int parent) {
    for (long rest = aboard; rest != 0; rest &= rest - 1) {
      int order = Long.numberOfTrailingZeros(rest);
      go(at, order + search.orders, open, aboard & ~(1L << order), time, late, travel, parent);
    }
    if (Long.bitCount(aboard) < search.capacity) {
      for (long rest = open; rest != 0; rest &= rest - 1) {
        int order = Long.numberOfTrailingZeros(rest);
        long bit = 1L << order;
        go(at, order, open & ~bit, aboard | bit, time, late, travel, parent);
      }
    }
  }

  private void go(
      int at, int to, long open, long aboard, long time, long late, long travel, int parent) {
    int way = search.cost(at, to);
    long nowLate = late + times.late(to, time + way);
    long leave = times.leave(to, time + way);
    long nowTravel = travel + way;
    long leastLate = nowLate + lateLeft(to, open, aboard, leave);
    boolean isNoBetter =
        leastLate == known.lateness && nowTravel + travelLeft(open, aboard) >= known.travel;
    if (leastLate <= known.lateness && !isNoBetter) {
      long key = (long) search.orderOf(to) << (2 * search.orders) | aboard << search.orders | open;
      into.put(key, leave, nowLate, nowTravel, parent);
    }
  }

  /** A lower bound of the lateness of all drop-offs still to be made. */
  private long lateLeft(int at, long open, long aboard, long leave) {
    int row = at * search.width;
    long late = 0;
    for (long rest = aboard; rest != 0; rest &= rest - 1) {
      int dropoff = Long.numberOfTrailingZeros(rest) + search.orders;
      late += times.late(dropoff, leave + shortest[row + dropoff]);
    }
    for (long rest = open; rest != 0; rest &= rest - 1) {
      int pickup = Long.numberOfTrailingZeros(rest);
      int dropoff = pickup + search.orders;
      long ready = times.leave(pickup, leave + shortest[row + pickup]);
      late += times.late(dropoff, ready + shortest[pickup * search.width + dropoff]);
    }
    return late;
  }

  private long travelLeft(long open, long aboard) {
    long left = cheapest[search.end];
    for (long rest = aboard; rest != 0; rest &= rest - 1) {
      left += cheapest[Long.numberOfTrailingZeros(rest) + search.orders];
    }
    for (long rest = open; rest != 0; rest &= rest - 1) {
      int pickup = Long.numberOfTrailingZeros(rest);
      left += cheapest[pickup] + cheapest[pickup + search.orders];
    }
    return left;
  }

  private void keep(int stops) {
    byte[] last = new byte[from.size];
    for (int i = 0; i < from.size; i++) {
      last[i] = (byte) last(from.keys[i]);
    }
    parents[stops] = Arrays.copyOf(from.parents, from.size);
    lasts[stops] = last;
    history += from.size;
  }

  /** Computes the bound proven so far: every better plan continues from one of these states. */
  private void giveUp(int expanded) {
    long least = known.lateness;
    for (int i = expanded; i < from.size; i++) {
      least = Math.min(least, lateness(from, i));
    }
    for (int i = 0; i < into.size; i++) {
      least = Math.min(least, lateness(into, i));
    }
    bound = new LowerBound(least, 0);
  }

  private long lateness(LateLayer layer, int index) {
    if (layer.isDead(index)) {
      return Long.MAX_VALUE;
    }
    long all = (1L << search.orders) - 1;
    long key = layer.keys[index];
    long open = key & all;
    long aboard = key >>> search.orders & all;
    return layer.lates[index] + lateLeft(last(key), open, aboard, layer.times[index]);
  }

  private void finish() {
    bound = new LowerBound(known.lateness, known.travel);
    int best = -1;
    long late = Long.MAX_VALUE;
    long travel = Long.MAX_VALUE;
    for (int i = 0; i < from.size; i++) {
      if (!from.isDead(i)) {
        long whole = from.travels[i] + search.cost(last(from.keys[i]), search.end);
        if (from.lates[i] < late || (from.lates[i] == late && whole < travel)) {
          best = i;
          late = from.lates[i];
          travel = whole;
        }
      }
    }
    if (best < 0 || late > known.lateness || (late == known.lateness && travel >= known.travel)) {
      return;
    }
    bound = new LowerBound(late, travel);
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
