package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StepGoalsTest {
  private static final LoadStep.Rates RATES = new LoadStep.Rates(100, 100, 0, 100, 0, 10);
  private static final LoadStep.Cores CORES = new LoadStep.Cores(1, 0.5, 0);

  @Test
  void missed_namesEachGoalWithItsFigure() {
    assertThat(MadeSteps.GOALS.missed(RATES, 50, CORES, 2)).isEmpty();
    assertThat(MadeSteps.GOALS.missed(RATES, 50.1, CORES, 2))
        .containsExactly("p99 50.1 ms, over 50");
    assertThat(MadeSteps.GOALS.missed(new LoadStep.Rates(100, 100, 0, 100, 0.001, 10), 1, CORES, 2))
        .containsExactly("errors 0.100 %, over 0.000");
    assertThat(MadeSteps.GOALS.missed(RATES, 1, CORES, 1))
        .containsExactly("processors 100 % used by the server, over 95");
  }

  @Test
  void voidness_aLoadThatWasLateOrWrong_saysHow() {
    assertThat(MadeSteps.GOALS.lateMillis()).isEqualTo(10);
    assertThat(MadeSteps.GOALS.voidness(new LoadStep.Load(0.01, 9, 0, 0, 0))).isEmpty();
    assertThat(MadeSteps.GOALS.voidness(new LoadStep.Load(0.011, 12, 0, 0, 0)))
        .isEqualTo(
            "the load was late: 1.1 % of its requests left over 10.0 ms after they were due");
    assertThat(MadeSteps.GOALS.voidness(new LoadStep.Load(0, 0, 1_000, 2, 0)))
        .isEqualTo("1,000 requests were due and never sent; 2 new records were taken for repeats");
  }
}
