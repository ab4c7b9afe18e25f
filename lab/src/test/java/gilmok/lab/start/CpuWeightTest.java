package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class CpuWeightTest {
  /** As Kubernetes does: nothing asked for is the least that the kernel takes. */
  @ParameterizedTest
  @CsvSource({"0, 2, 1", "0.1, 102, 4", "0.3, 307, 12", "1, 1024, 39", "2, 2048, 79"})
  void asking_isTheWeightOfKubernetes(double processors, long shares, long second) {
    CpuWeight weight = CpuWeight.asking(processors);
    assertThat(weight.shares()).isEqualTo(shares);
    assertThat(weight.second()).isEqualTo(second);
  }

  @Test
  void due_isAShareOfAllProcessors_byTheWeights() {
    assertThat(CpuWeight.asking(0.3).due(CpuWeight.USUAL, 2)).isCloseTo(0.461, within(0.001));
    assertThat(CpuWeight.USUAL.due(CpuWeight.asking(0.3), 2)).isCloseTo(1.539, within(0.001));
    assertThat(CpuWeight.USUAL.due(CpuWeight.USUAL, 2)).isEqualTo(1);
  }
}
