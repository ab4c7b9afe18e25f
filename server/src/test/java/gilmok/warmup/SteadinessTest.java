package gilmok.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SteadinessTest {
  private final Steadiness steadiness = new Steadiness();

  @Test
  void whileTheRateGrows_isNotSteady() {
    for (double rate = 100; rate < 100_000; rate *= 1.1) {
      assertThat(steadiness.after(rate)).as("at " + rate).isFalse();
    }
  }

  @Test
  void afterASecondWithoutABetterOne_isSteady() {
    for (int i = 0; i < 4; i++) {
      assertThat(steadiness.after(1000)).isFalse();
    }
    assertThat(steadiness.after(1000)).isTrue();
  }

  @Test
  void oneSlowWindow_doesNotEndIt_norDoesOneFastWindow() {
    for (double rate : new double[] {1000, 2000, 3000, 500, 5000, 5500, 6000}) {
      assertThat(steadiness.after(rate)).as("at " + rate).isFalse();
    }
  }

  @Test
  void growthOfLessThanAFewPercent_isNoGrowth() {
    boolean isSteady = false;
    for (double rate = 1000; rate < 1030; rate += 5) {
      isSteady = steadiness.after(rate);
    }
    assertThat(isSteady).isTrue();
  }
}
