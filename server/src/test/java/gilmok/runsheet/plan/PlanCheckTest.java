package gilmok.runsheet.plan;

import static gilmok.runsheet.plan.Stop.Kind.DROPOFF;
import static gilmok.runsheet.plan.Stop.Kind.PICKUP;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.runsheet.plan.PlanCheck.Rule;
import gilmok.runsheet.plan.PlanCheck.Violation;
import gilmok.runsheet.plan.PlanCheck.Visit;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The times of a given plan, and the violations in it. */
@Tag("unit")
class PlanCheckTest {
  private static final long[][] MATRIX = {
    {0, 10, 20, 30, 40},
    {11, 0, 12, 13, 14},
    {21, 22, 0, 23, 24},
    {31, 32, 33, 0, 34},
    {41, 42, 43, 44, 0}
  };
  private static final List<PlanOrder> ORDERS =
      List.of(new PlanOrder("a", 1, 2, 50, 60, false), new PlanOrder("b", -1, 3, 0, 100, true));

  private static final PlanProblem PROBLEM =
      Cases.problem(new ProblemDraft(MATRIX, 0, 4, ORDERS, 5, 2, Objective.TRAVEL));

  @Test
  void of_plan_hasItsTimes() {
    PlanCheck check =
        PlanCheck.of(
            PROBLEM, List.of(new Visit(0, PICKUP), new Visit(0, DROPOFF), new Visit(1, DROPOFF)));
    assertThat(check.violations()).isEmpty();
    // Order a: at the shop at 10, ready at 50, left at 55; at the door at 67, 7 late; left at 72.
    assertThat(check.stops())
        .containsExactly(
            new Stop(1, 0, PICKUP, 10, 0),
            new Stop(2, 0, DROPOFF, 67, 7),
            new Stop(3, 1, DROPOFF, 95, 0));
    assertThat(check.cost()).isEqualTo(10 + 12 + 23 + 34);
    assertThat(check.lateness()).isEqualTo(7);
  }

  @Test
  void of_nothing_costsTheWayToTheEnd() {
    PlanCheck check = PlanCheck.of(PROBLEM, List.of());
    assertThat(check.cost()).isEqualTo(40);
    assertThat(check.violations())
        .containsExactly(
            new Violation(PlanCheck.NOWHERE, 0, Rule.NOT_DELIVERED),
            new Violation(PlanCheck.NOWHERE, 1, Rule.NOT_DELIVERED));
  }

  @Test
  void of_whatIsNotPossible_namesIt() {
    List<Visit> visits =
        List.of(
            new Visit(0, DROPOFF),
            new Visit(7, PICKUP),
            new Visit(1, PICKUP),
            new Visit(1, DROPOFF),
            new Visit(1, DROPOFF),
            new Visit(0, PICKUP));
    PlanCheck check = PlanCheck.of(PROBLEM, visits);
    assertThat(check.violations())
        .containsExactly(
            new Violation(0, 0, Rule.NOT_ON_BOARD),
            new Violation(1, 7, Rule.UNKNOWN_ORDER),
            new Violation(2, 1, Rule.ALREADY_ON_BOARD),
            new Violation(4, 1, Rule.ALREADY_DELIVERED),
            new Violation(PlanCheck.NOWHERE, 0, Rule.NOT_DELIVERED));
  }

  @Test
  void of_tooManyOnBoard_namesTheStop() {
    PlanProblem small =
        Cases.problem(new ProblemDraft(MATRIX, 0, 4, ORDERS, 5, 1, Objective.TRAVEL));
    List<Visit> visits =
        List.of(new Visit(0, PICKUP), new Visit(1, DROPOFF), new Visit(0, DROPOFF));
    assertThat(PlanCheck.of(small, visits).violations())
        .containsExactly(new Violation(0, 0, Rule.OVER_CAPACITY));
  }
}
