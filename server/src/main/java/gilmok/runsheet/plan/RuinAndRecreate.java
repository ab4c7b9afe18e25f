package gilmok.runsheet.plan;

/**
 * Finds good plans for any number of orders: takes some orders out of a tour, puts them back where
 * they do least harm, and keeps what came of it if it is better, or by chance if it is little
 * worse, ever less so (simulated annealing). Not thread-safe.
 */
// G. Schrimpf et al., Record Breaking Optimization Results Using the Ruin and Recreate Principle,
// J. Comp. Physics 159, 2000; what is taken out and how it is put back after Christiaens and
// Vanden Berghe (see Ruin): one order after the other, each at its best place, some places
// overlooked by chance.
final class RuinAndRecreate {
  private static final int ASKED_EVERY = 16;
  private static final double HOT = 4;
  private static final double COLD = 0.02;

  /** What a late unit of time weighs against one of travel when chance decides. */
  private static final double LATE_WEIGHT = 20;

  private final SearchProblem search;
  private final Dice dice;
  private final Ruin ruin;
  private final Inserter inserter;
  private final Tour current;
  private final Tour next;
  private final Tour best;
  private final int[] keys;
  private final double legMean;
  private final int askedEvery;

  RuinAndRecreate(SearchProblem search, Objective objective, long seed) {
    this.search = search;
    dice = new Dice(seed);
    ruin = new Ruin(search, dice);
    boolean isLate = objective == Objective.LATENESS_THEN_TRAVEL;
    inserter = isLate ? new LateInserter(search) : new TravelInserter(search, dice);
    askedEvery = isLate ? 1 : ASKED_EVERY;
    current = new Tour(search);
    next = new Tour(search);
    best = new Tour(search);
    keys = new int[search.orders];
    for (int i = 0; i < search.orders; i++) {
      ruin.out[i] = i;
    }
    ruin.outCount = search.orders;
    recreate(current, search.isTight());
    best.copy(current);
    legMean = (double) best.travel / Math.max(1, search.stops);
  }

  /** The best tour so far. */
  Tour best() {
    return best;
  }

  /**
   * Goes on from the best so far.
   *
   * @param roundsMax how many rounds at most
   * @param until the share of the budget at which to end
   * @param proven what nothing can be below, in lateness or travel: reached, it ends
   */
  void run(Budget budget, double until, long roundsMax, LowerBound proven) {
    if (search.orders < 2) {
      return;
    }
    current.copy(best);
    double begun = budget.used();
    double heat = 0;
    for (long round = 0; round < roundsMax; round++) {
      if (round % askedEvery == 0) {
        double used = budget.used();
        if (used >= until || proven.isReached(best)) {
          return;
        }
        double done = Math.max((used - begun) / (until - begun), (double) round / roundsMax);
        heat = legMean * HOT * Math.pow(COLD / HOT, done);
      }
      round(heat);
    }
  }

  private void round(double heat) {
    next.copy(current);
    ruin.apply(next);
    recreate(next, false);
    double worse =
        (next.lateness - current.lateness) * LATE_WEIGHT + (next.travel - current.travel);
    if (worse < 0 || worse < -heat * Math.log(dice.share())) {
      current.copy(next);
      if (next.isBetterThan(best)) {
        best.copy(next);
      }
    }
  }

  private void recreate(Tour tour, boolean isFirst) {
    inserter.measure(tour);
    sort(isFirst ? 0 : dice.below(11));
    for (int i = 0; i < ruin.outCount; i++) {
      inserter.insert(tour, ruin.out[i]);
    }
  }

  /** Sorts what is out: by chance (4 of 11), longest first (4), far first (2), near first. */
  private void sort(int by) {
    int count = ruin.outCount;
    int[] out = ruin.out;
    for (int i = 0; i < count; i++) {
      int order = out[i];
      int dropoff = order + search.orders;
      keys[i] =
          by < 4
              ? dice.below(1 << 20)
              : by < 8
                  ? (search.onBoard[order] ? 0 : -search.cost(order, dropoff))
                  : by < 10
                      ? -search.cost(search.start, dropoff)
                      : search.cost(search.start, dropoff);
      if (search.isTight() && search.onBoard[order]) {
        // Only while these are on board can there be no room for others.
        keys[i] = Integer.MIN_VALUE;
      }
    }
    for (int i = 1; i < count; i++) {
      int order = out[i];
      int key = keys[i];
      int at = i;
      for (; at > 0 && keys[at - 1] > key; at--) {
        out[at] = out[at - 1];
        keys[at] = keys[at - 1];
      }
      out[at] = order;
      keys[at] = key;
    }
  }

  /** Takes a tour found elsewhere, if it is better. */
  void offer(Tour tour) {
    next.copy(tour);
    inserter.measure(next);
    if (next.isBetterThan(best)) {
      best.copy(next);
    }
  }
}
