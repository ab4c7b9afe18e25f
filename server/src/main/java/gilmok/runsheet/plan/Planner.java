package gilmok.runsheet.plan;

/**
 * Plans: finds the best order of stops and proves that it is, for as many orders as the budget
 * allows; beyond, the best that it comes to, with what is proven. How it does so is in
 * docs/run-sheets.md. It has no state, and uses no clock, no other thread and at most 256 MiB a
 * plan.
 */
public final class Planner {
  private static final int ROUNDS_PER_ORDER = 200;

  /** With so many orders the proof is most often done within the budget, and is begun at once. */
  private static final int SOON_PROVEN = 15;

  private static final double SEARCH_FIRST_UNTIL = 0.4;
  private static final double PROOF_UNTIL = 0.7;
  private static final double LARGE_SEARCH_UNTIL = 0.9;
  private static final double LARGE_PROOF_UNTIL = 0.98;

  private Planner() {}

  /**
   * The best plan found until the budget is used or it is proven that there is none better. The
   * same problem, seed and answers of the budget give the same plan.
   */
  public static Plan plan(Problem problem, Budget budget, long seed) {
    Ways ways = new Ways(problem);
    RuinAndRecreate search = new RuinAndRecreate(ways, seed);
    Bound bound;
    if (ways.orders == 0) {
      bound = new Bound(0, search.best().travel);
    } else if (problem.objective() == Objective.TRAVEL) {
      bound = leastTravel(ways, search, budget);
    } else {
      bound = leastLate(ways, search, budget);
    }
    return plan(ways, search.best(), bound);
  }

  private static Bound leastTravel(Ways ways, RuinAndRecreate search, Budget budget) {
    boolean isSmall = ways.orders <= SOON_PROVEN;
    boolean isLarge = ways.orders > TravelSearch.ORDERS_MAX;
    double firstUntil = isLarge ? LARGE_SEARCH_UNTIL : SEARCH_FIRST_UNTIL;
    long rounds = isSmall ? (long) ROUNDS_PER_ORDER * ways.orders : Long.MAX_VALUE;
    search.run(budget, firstUntil, rounds, Bound.NONE);
    Proof proof = new Proof(ways, budget, isLarge ? LARGE_PROOF_UNTIL : isSmall ? 1 : PROOF_UNTIL);
    proof.run(search.best());
    Bound bound = new Bound(0, proof.bound());
    if (!bound.isReached(search.best())) {
      search.run(budget, 1, Long.MAX_VALUE, bound);
    }
    return bound;
  }

  private static Bound leastLate(Ways ways, RuinAndRecreate search, Budget budget) {
    boolean isLarge = ways.orders > LateSearch.ORDERS_MAX;
    long rounds = isLarge ? Long.MAX_VALUE : (long) ROUNDS_PER_ORDER * ways.orders;
    search.run(budget, isLarge ? 1 : SEARCH_FIRST_UNTIL, rounds, Bound.NONE);
    if (isLarge || Bound.NONE.isReached(search.best())) {
      return Bound.NONE;
    }
    LateSearch proof = new LateSearch(ways, search.best());
    proof.run(budget, PROOF_UNTIL);
    int[] route = proof.route();
    if (route != null) {
      search.set(route);
    }
    if (!proof.bound().isReached(search.best())) {
      search.run(budget, 1, Long.MAX_VALUE, proof.bound());
    }
    return proof.bound();
  }

  private static Plan plan(Ways ways, Tour best, Bound bound) {
    Check check = Check.of(ways.problem, ways.visits(best.places, best.length));
    boolean isTravel = ways.problem.objective() == Objective.TRAVEL;
    long proven = isTravel ? bound.travel() : bound.lateness();
    boolean isOptimal =
        check.cost() <= bound.travel() && (isTravel || check.lateness() <= bound.lateness());
    return new Plan(check.stops(), check.cost(), check.lateness(), proven, isOptimal);
  }
}
