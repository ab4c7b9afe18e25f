package gilmok.runsheet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plans compared with those of an exhaustive search, and plans whose optimum is obvious. */
@Tag("unit")
class PlannerTest {
  private static final int CASES = 150;

  @Test
  void plan_leastTravel_asTheOracle() {
    for (int orders = 0; orders <= 7; orders++) {
      for (int seed = 0; seed < CASES; seed++) {
        PlanProblem problem = Cases.random(orders, Objective.TRAVEL, seed);
        Plan plan = Planner.plan(problem, Cases.ENDLESS, seed);
        long best = Oracle.travel(problem);
        String name = orders + " orders, seed " + seed;
        assertThat(plan.cost()).as(name).isEqualTo(best);
        assertThat(plan.bound()).as(name).isEqualTo(best);
        assertThat(plan.optimal()).as(name).isTrue();
        assertIsPlan(problem, plan, name);
      }
    }
  }

  @Test
  void plan_leastLate_asTheOracle() {
    for (int orders = 0; orders <= 4; orders++) {
      for (int seed = 0; seed < CASES; seed++) {
        PlanProblem problem = Cases.random(orders, Objective.LATENESS_THEN_TRAVEL, seed);
        Plan plan = Planner.plan(problem, Cases.ENDLESS, seed);
        LowerBound best = Oracle.late(problem);
        String name = orders + " orders, seed " + seed;
        assertThat(new LowerBound(plan.lateness(), plan.cost())).as(name).isEqualTo(best);
        assertThat(plan.bound()).as(name).isEqualTo(best.lateness());
        assertThat(plan.optimal()).as(name).isTrue();
        assertIsPlan(problem, plan, name);
      }
    }
  }

  @Test
  void plan_upTo100Orders_isAPlanAndNotBelowItsBound() {
    for (int orders : new int[] {8, 12, 16, 20, 28, 29, 40, 70, 100}) {
      for (int seed = 0; seed < 4; seed++) {
        for (Objective objective : Objective.values()) {
          PlanProblem problem = Cases.random(orders, objective, seed);
          Plan plan = Planner.plan(problem, Cases.asked(300), seed);
          String name = orders + " orders, seed " + seed + ", " + objective;
          assertIsPlan(problem, plan, name);
          long value = objective == Objective.TRAVEL ? plan.cost() : plan.lateness();
          assertThat(plan.bound()).as(name).isBetween(0L, value);
          if (plan.optimal()) {
            assertThat(plan.bound()).as(name).isEqualTo(value);
          }
        }
      }
    }
  }

  @Test
  void plan_budgetUsedAtOnce_isAPlanAllTheSame() {
    for (int orders : new int[] {1, 2, 10, 30, 100}) {
      for (Objective objective : Objective.values()) {
        PlanProblem problem = Cases.random(orders, objective, 1);
        Plan plan = Planner.plan(problem, () -> 1, 1);
        assertIsPlan(problem, plan, orders + " orders");
      }
    }
  }

  @Test
  void plan_sameSeedAndAnswers_samePlan() {
    for (int orders : new int[] {6, 13, 27, 45}) {
      PlanProblem problem = Cases.random(orders, Objective.TRAVEL, 3);
      assertThat(Planner.plan(problem, Cases.asked(400), 5))
          .isEqualTo(Planner.plan(problem, Cases.asked(400), 5));
    }
  }

  @Test
  void plan_alongALine_goesAlongIt() {
    // On a line: a shop, two doors beyond it, and an order on board whose door lies between them.
    PlanProblem problem =
        Cases.problem(
            new ProblemDraft(
                line(0, 100, 200, 300, 150),
                0,
                null,
                List.of(
                    new PlanOrder("near", 1, 2),
                    new PlanOrder("far", 1, 3, 140, PlanOrder.NEVER_DUE, false),
                    new PlanOrder("aboard", -1, 4, 0, 160, true)),
                10,
                3,
                Objective.TRAVEL));
    Plan plan = Planner.plan(problem, Cases.ENDLESS, 1);
    assertThat(plan.cost()).isEqualTo(300);
    assertThat(plan.optimal()).isTrue();
    assertThat(plan.stops().stream().map(Stop::node)).containsExactly(1, 1, 4, 2, 3);
    assertThat(plan.stops().getLast().arriveAt()).isIn(370L, 380L);
    assertThat(plan.stops())
        .filteredOn(stop -> stop.lateBy() > 0)
        .singleElement()
        .extracting(Stop::order)
        .isEqualTo(2);
    assertThat(plan.lateness()).isPositive();
  }

  @Test
  void plan_dearWays_areNotTakenForNone() {
    // Only one order of the stops is cheap; every other leg has the highest cost.
    int most = ProblemDraft.COST_MAX;
    long[][] matrix = new long[5][5];
    for (long[] row : matrix) {
      java.util.Arrays.fill(row, most);
    }
    matrix[0][1] = 1;
    matrix[1][3] = 1;
    matrix[3][2] = 1;
    matrix[2][4] = 1;
    PlanProblem problem =
        Cases.problem(
            new ProblemDraft(
                matrix, 0, null, List.of(new PlanOrder("a", 1, 2), new PlanOrder("b", 3, 4))));
    Plan plan = Planner.plan(problem, Cases.ENDLESS, 1);
    assertThat(plan.cost()).isEqualTo(4);
    assertThat(plan.optimal()).isTrue();
    PlanProblem dear =
        Cases.problem(
            new ProblemDraft(
                IntStream.range(0, 201).mapToObj(i -> dear()).toArray(long[][]::new),
                0,
                null,
                IntStream.range(0, 100)
                    .mapToObj(i -> new PlanOrder("o" + i, 1 + i, 101 + i))
                    .toList()));
    assertThat(Planner.plan(dear, Cases.asked(50), 1).cost()).isEqualTo(200L * most);
  }

  private static long[] dear() {
    return IntStream.range(0, 201).mapToLong(i -> ProblemDraft.COST_MAX).toArray();
  }

  private static long[][] line(long... at) {
    long[][] matrix = new long[at.length][at.length];
    for (int a = 0; a < at.length; a++) {
      for (int b = 0; b < at.length; b++) {
        matrix[a][b] = Math.abs(at[a] - at[b]);
      }
    }
    return matrix;
  }

  private static void assertIsPlan(PlanProblem problem, Plan plan, String name) {
    List<PlanCheck.Visit> visits =
        plan.stops().stream().map(stop -> new PlanCheck.Visit(stop.order(), stop.kind())).toList();
    PlanCheck check = PlanCheck.of(problem, visits);
    assertThat(check.violations()).as(name).isEmpty();
    assertThat(check.stops()).as(name).isEqualTo(plan.stops());
    long cost = 0;
    int at = problem.start();
    for (Stop stop : plan.stops()) {
      cost += problem.cost(at, stop.node());
      at = stop.node();
    }
    Integer end = problem.end();
    assertThat(plan.cost()).as(name).isEqualTo(end == null ? cost : cost + problem.cost(at, end));
  }
}
