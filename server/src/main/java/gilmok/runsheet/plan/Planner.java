package gilmok.runsheet.plan;

/**
 * The planner. It finds the best order of stops and proves it optimal, as far as the budget allows;
 * with more orders it returns the best plan it found, with the proven bound. The method is
 * described in docs/run-sheets.md. It has no state, and uses no clock, no other thread and at most
 * 256 MiB a plan. It reads the budget every few milliseconds.
 */
public final class Planner {
  private static final int ROUNDS_PER_ORDER = 200;

  /**
   * Up to this many orders the proof is usually finished within the budget, so it is begun at once.
   */
  private static final int SOON_PROVEN = 20;

  private static final double SMALL_PROOF_UNTIL = 0.95;
  private static final double SEARCH_UNTIL = 0.4;
  private static final double PROOF_UNTIL = 0.7;
  private static final double LARGE_SEARCH_UNTIL = 0.9;
  private static final double LARGE_PROOF_UNTIL = 0.98;

  /** The share of the budget for the plan of least travel, where the objective is lateness. */
  private static final double TRAVEL_FIRST = 0.3;

  private final SearchProblem searchProblem;
  private final Budget budget;
  private final long seed;
  private final boolean isLarge;
  private final long rounds;

  private Planner(SearchProblem searchProblem, Budget budget, long seed) {
    this.searchProblem = searchProblem;
    this.budget = budget;
    this.seed = seed;
    isLarge = searchProblem.orders > TravelSearch.ORDERS_MAX;
    boolean isSmall = searchProblem.orders <= SOON_PROVEN;
    rounds = isSmall ? (long) ROUNDS_PER_ORDER * searchProblem.orders : Long.MAX_VALUE;
  }

  /**
   * The best plan found before the budget was used up or a plan was proven optimal. The same
   * problem, seed and values of the budget give the same plan.
   */
  public static Plan plan(PlanProblem problem, Budget budget, long seed) {
    SearchProblem searchProblem = new SearchProblem(problem);
    RuinAndRecreate search = new RuinAndRecreate(searchProblem, problem.objective(), seed);
    Planner planner = new Planner(searchProblem, budget, seed);
    LowerBound bound;
    if (searchProblem.orders == 0) {
      bound = new LowerBound(0, search.best().travel);
    } else if (problem.objective() == Objective.TRAVEL) {
      bound = planner.leastTravel(search, budget);
    } else {
      bound = planner.leastLate(search);
    }
    return planner.plan(search.best(), bound);
  }

  private LowerBound leastTravel(RuinAndRecreate search, Budget whole) {
    search.run(whole, isLarge ? LARGE_SEARCH_UNTIL : SEARCH_UNTIL, rounds, LowerBound.NONE);
    double until = isLarge ? LARGE_PROOF_UNTIL : PROOF_UNTIL;
    OptimalityProof optimalityProof =
        new OptimalityProof(
            searchProblem, whole, rounds < Long.MAX_VALUE ? SMALL_PROOF_UNTIL : until);
    optimalityProof.run(search.best());
    LowerBound bound = new LowerBound(0, optimalityProof.bound());
    if (!bound.isReached(search.best())) {
      search.run(whole, 1, Long.MAX_VALUE, bound);
    }
    return bound;
  }

  private LowerBound leastLate(RuinAndRecreate search) {
    if (!isLarge && isOnTimeAnyway(search)) {
      return new LowerBound(0, search.best().travel);
    }
    search.run(budget, isLarge ? 1 : SEARCH_UNTIL, rounds, LowerBound.NONE);
    if (isLarge || LowerBound.NONE.isReached(search.best())) {
      return LowerBound.NONE;
    }
    LateSearch proof = new LateSearch(searchProblem, search.best());
    proof.run(budget, PROOF_UNTIL);
    int[] route = proof.route();
    if (route != null) {
      search.offer(new Tour(searchProblem, route));
    }
    if (!proof.bound().isReached(search.best())) {
      search.run(budget, 1, Long.MAX_VALUE, proof.bound());
    }
    return proof.bound();
  }

  /** Whether the plan of least travel is on time. It is then also the least late, and optimal. */
  private boolean isOnTimeAnyway(RuinAndRecreate search) {
    RuinAndRecreate travel = new RuinAndRecreate(searchProblem, Objective.TRAVEL, seed);
    LowerBound bound = leastTravel(travel, () -> budget.used() / TRAVEL_FIRST);
    search.offer(travel.best());
    return search.best().lateness == 0 && bound.travel() == search.best().travel;
  }

  private Plan plan(Tour best, LowerBound bound) {
    PlanCheck check =
        PlanCheck.of(searchProblem.problem, searchProblem.visits(best.places, best.length));
    boolean isTravel = searchProblem.problem.objective() == Objective.TRAVEL;
    long proven = isTravel ? bound.travel() : bound.lateness();
    boolean isOptimal =
        check.cost() <= bound.travel() && (isTravel || check.lateness() <= bound.lateness());
    return new Plan(check.stops(), check.cost(), check.lateness(), proven, isOptimal);
  }
}
