package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class LimitSearchTest {
  private final List<Double> asked = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(doubles = {40, 700, 10_000, 123_456})
  void find_whereverTheLimitIs_isWithinTheResolution(double limit) throws Exception {
    LimitSearch.Found found = search(units -> units <= limit, 3).find(500, 1e9);

    assertThat(found.units()).isBetween(limit / LimitSearch.RESOLUTION, limit);
    assertThat(found.above()).isBetween(limit, found.units() * LimitSearch.RESOLUTION * 1.001);
    assertThat(found.repeats()).hasSize(3).allMatch(LoadStep::holds);
    assertThat(asked).hasSizeLessThan(40);
  }

  @Test
  void find_aStepFailsByChance_isTriedAgain() throws Exception {
    boolean[] isFirst = {true};
    LimitSearch.Found found =
        search(
                units -> {
                  boolean holds = units <= 10_000 && !isFirst[0];
                  isFirst[0] = !isFirst[0];
                  return holds;
                },
                1)
            .find(500, 1e9);

    assertThat(found.units()).isGreaterThan(8_000);
  }

  @Test
  void find_theRepeatsDoNotHold_goesDown() throws Exception {
    LimitSearch.Found found =
        new LimitSearch(
                (what, units, _) ->
                    MadeSteps.step(units, units <= (what.equals("repeat") ? 9_000 : 10_000)),
                3)
            .find(500, 1e9);

    assertThat(found.units()).isBetween(8_000.0, 9_000.0);
    assertThat(found.above()).isBetween(found.units(), 10_000.0);
  }

  @Test
  void find_nothingHolds_saysSoWithoutAnEnd() throws Exception {
    LimitSearch.Found found = search(_ -> false, 3).find(500, 1e9);

    assertThat(found.units()).isZero();
    assertThat(found.repeats()).isEmpty();
    assertThat(asked).hasSizeLessThan(20);
  }

  @Test
  void find_aVoidStep_doesNotHold() throws Exception {
    LimitSearch.Found found =
        new LimitSearch(
                (_, units, _) ->
                    MadeSteps.step(units, 10, units > 3_000 ? "the load was late" : ""),
                1)
            .find(500, 1e9);

    assertThat(found.units()).isBetween(2_800.0, 3_000.0);
  }

  /** Whether a rate holds. */
  @FunctionalInterface
  private interface Holds {
    boolean at(double units);
  }

  private LimitSearch search(Holds holds, int repeats) {
    return new LimitSearch(
        (_, units, _) -> {
          asked.add(units);
          return MadeSteps.step(units, holds.at(units));
        },
        repeats);
  }
}
