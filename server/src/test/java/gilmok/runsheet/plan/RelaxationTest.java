package gilmok.runsheet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the relaxation proves must hold for the best plan, as found by the {@link Oracle}. */
@Tag("unit")
class RelaxationTest {
  @Test
  void bound_anyOrdersExact_isNotAboveTheBestPlan() {
    for (int orders = 1; orders <= 7; orders++) {
      for (int seed = 0; seed < 60; seed++) {
        PlanProblem problem = Cases.random(orders, Objective.TRAVEL, seed);
        SearchProblem searchProblem = new SearchProblem(problem);
        long best = Oracle.travel(problem);
        for (int exact = 0; exact <= orders; exact++) {
          int[] which = IntStream.range(0, exact).toArray();
          long upper = best + seed % 3 * 50;
          int[] prizes = Relaxation.firstPrizes(searchProblem, upper);
          Relaxation relaxation = new Relaxation(searchProblem, upper, which, prizes);
          assertThat(relaxation.climb(Cases.ENDLESS, 1, 12, 1.4)).isTrue();
          String name = orders + " orders, seed " + seed + ", exact " + exact;
          assertThat(relaxation.bound()).as(name).isLessThanOrEqualTo(best);
          if (exact == orders) {
            assertThat(relaxation.bound()).as(name).isEqualTo(best);
          }
        }
      }
    }
  }

  @Test
  void search_givesUp_withABoundThatHolds() {
    for (int seed = 0; seed < 100; seed++) {
      PlanProblem problem = Cases.random(7, Objective.TRAVEL, seed);
      SearchProblem searchProblem = new SearchProblem(problem);
      long best = Oracle.travel(problem);
      long upper = best + 1 + seed;
      for (int states : new int[] {1, 20, 300, Integer.MAX_VALUE}) {
        int[] prizes = Relaxation.firstPrizes(searchProblem, upper);
        Relaxation relaxation = new Relaxation(searchProblem, upper, new int[] {0}, prizes);
        relaxation.climb(Cases.ENDLESS, 1, 3, 1.4);
        TravelSearch search = new TravelSearch(searchProblem, relaxation, upper, states);
        search.run(Cases.ENDLESS, 1);
        assertThat(search.bound()).as("seed " + seed).isLessThanOrEqualTo(best);
        if (states == Integer.MAX_VALUE) {
          assertThat(search.bound()).as("seed " + seed).isEqualTo(best);
          int[] route = Objects.requireNonNull(search.route());
          assertThat(searchProblem.travel(route, route.length)).as("seed " + seed).isEqualTo(best);
        }
      }
    }
  }

  @Test
  void lateSearch_givesUp_withABoundThatHolds() {
    for (int seed = 0; seed < 100; seed++) {
      PlanProblem problem = Cases.random(4, Objective.LATENESS_THEN_TRAVEL, seed);
      SearchProblem searchProblem = new SearchProblem(problem);
      LowerBound best = Oracle.late(problem);
      Tour known = new Tour(searchProblem);
      known.lateness = best.lateness() + 100;
      known.travel = best.travel();
      for (int asked = 1; asked < 6; asked++) {
        LateSearch search = new LateSearch(searchProblem, known);
        search.run(Cases.asked(asked), 1);
        assertThat(search.bound().lateness()).isLessThanOrEqualTo(best.lateness());
      }
      LateSearch search = new LateSearch(searchProblem, known);
      search.run(Cases.ENDLESS, 1);
      assertThat(search.bound()).as("seed " + seed).isEqualTo(best);
    }
  }
}
