package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SpreadTest {
  @Test
  void median_oddCount_isTheOneInTheMiddle() {
    Spread spread = Spread.of(List.of(9.0, 1.0, 3.0));
    assertThat(spread.median()).isEqualTo(3);
    assertThat(spread.least()).isEqualTo(1);
    assertThat(spread.most()).isEqualTo(9);
  }

  @Test
  void median_evenCount_isTheMeanOfTheTwoInTheMiddle() {
    assertThat(Spread.of(new double[] {4, 1, 2, 9}).median()).isEqualTo(3);
  }

  @Test
  void of_nothing_isRefused() {
    assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
