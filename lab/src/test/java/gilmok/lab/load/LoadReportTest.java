package gilmok.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which runs say something about a server. */
@Tag("unit")
final class LoadReportTest {
  @ParameterizedTest
  @CsvSource({
    "closed, status 503, 0, true",
    "closed, status 503, 10, true",
    "closed, status 503, 11, false",
    "closed, status 500, 1, false",
    "open, status 503, 0, true",
    "open, status 503, 1, true",
    "open, status 503, 11, false"
  })
  void refusals_areOneInAThousandAtMost(String mode, String kind, long errors, boolean usable) {
    Map<String, Long> kinds = errors == 0 ? Map.of() : Map.of(kind, errors);
    LoadReport report =
        new LoadReport(
            mode,
            1,
            64,
            1,
            0,
            10_000,
            10_000,
            Map.of(),
            10_000,
            10_000,
            0,
            errors,
            kinds,
            errors == 0,
            1,
            1,
            1,
            1,
            0,
            1);

    assertThat(report.isUsable()).isEqualTo(usable);
  }
}
