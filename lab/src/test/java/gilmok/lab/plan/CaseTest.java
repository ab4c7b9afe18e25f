package gilmok.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.Planner;
import org.junit.jupiter.api.Test;

/** Made-up cases are the same for everyone who reads them. */
class CaseTest {
  @Test
  void read_whatWasWritten_isTheSame() {
    Case made = Case.random(6, 3);
    Case read = Case.read(made.line());
    assertThat(read.name()).isEqualTo("random-6-3");
    assertThat(read.line()).isEqualTo(made.line());
    assertThat(read.orders()).isEqualTo(6);
  }

  @Test
  void randomSearch_findsPlans_notBelowTheBest() {
    Case made = Case.random(3, 1);
    Plan best = Planner.plan(made.problem(), () -> 0, 1);
    // Three orders have 90 plans: it tries each of them many times.
    assertThat(RandomSearch.cost(made.problem(), 0.05, 1)).isEqualTo(best.cost());
    assertThat(RandomSearch.cost(Case.random(20, 1).problem(), 0, 1))
        .isGreaterThan(Planner.plan(Case.random(20, 1).problem(), () -> 1, 1).cost());
  }
}
