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
  void oneBurst_isNotEnough() {
    assertThat(steadiness.after(1000)).isFalse();
    assertThat(steadiness.after(1000)).isTrue();
  }

  @Test
  void growthOfAFewPercent_isNoGrowth() {
    assertThat(steadiness.after(1000)).isFalse();
    assertThat(steadiness.after(1040)).isTrue();
  }

  @Test
  void aSlowBurst_thenABetterOne_isNotSteady() {
    assertThat(steadiness.after(1000)).isFalse();
    assertThat(steadiness.after(500)).isTrue();
    assertThat(steadiness.after(1100)).isFalse();
  }
}
