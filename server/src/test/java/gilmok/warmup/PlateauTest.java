package gilmok.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class PlateauTest {
  private final Plateau plateau = new Plateau();

  @Test
  void whileTheRateGrows_isNotSteady() {
    for (double rate = 100; rate < 100_000; rate *= 1.1) {
      assertThat(plateau.after(rate)).as("at " + rate).isFalse();
    }
  }

  @Test
  void oneBurstThatIsNoBetter_isNotEnough() {
    assertThat(plateau.after(1000)).isFalse();
    assertThat(plateau.after(1000)).isFalse();
    assertThat(plateau.after(1000)).isTrue();
  }

  @Test
  void growthOfAFewPercent_isNoGrowth() {
    assertThat(plateau.after(1000)).isFalse();
    assertThat(plateau.after(1040)).isFalse();
    assertThat(plateau.after(1040)).isTrue();
  }

  @Test
  void aSlowBurst_thenABetterOne_isNotSteady() {
    assertThat(plateau.after(1000)).isFalse();
    assertThat(plateau.after(500)).isFalse();
    assertThat(plateau.after(1100)).isFalse();
    assertThat(plateau.after(1100)).isFalse();
    assertThat(plateau.after(1100)).isTrue();
  }
}
