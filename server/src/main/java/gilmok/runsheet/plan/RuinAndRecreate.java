package gilmok.runsheet.plan;

/**
 * Finds good plans for any number of orders. It repeatedly removes some orders from a tour and
 * inserts them where they cost least. It keeps the new tour if it is better, or with some
 * probability if it is slightly worse; that probability decreases (simulated annealing). Not
 * thread-safe.
 */
// G. Schrimpf et al., Record Breaking Optimization Results Using the Ruin and Recreate Principle,
// J. Comp. Physics 159, 2000. Removal and insertion are after Christiaens and Vanden Berghe (see
// Ruin): the orders are inserted one after the other, each at its best place, and some places are
// skipped at random.
final class RuinAndRecreate {
  private static final int ASKED_EVERY = 16;
  private static final double HOT = 4;
  private static final double COLD = 0.02;

  /** The weight of a unit of lateness against one of travel in the random acceptance. */
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
   * Continues from the best tour so far.
   *
   * @param roundsMax the largest number of rounds
   * @param until the share of the budget at which to end
   * @param proven a lower bound in lateness or travel: the search ends when it is reached
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

  /**
   * Sorts the removed orders: at random (4 of 11), longest first (4), far first (2), near first.
   */
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
        // Orders on board go first: only while they are on board can there be no place for another.
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

  /** Takes a tour found elsewhere, if it is better than the best. */
  void offer(Tour tour) {
    next.copy(tour);
    inserter.measure(next);
    if (next.isBetterThan(best)) {
      best.copy(next);
    }
  }
}
