package gilmok.lab.longday;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Shell;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code lab/longday} is a program of Python, and so is its test: the day's curve, percentiles,
 * what counts as drift, and phones that keep and send again, against a small server that fails. A
 * whole day takes minutes, and is for people to run.
 */
@Tag("process")
final class LongDayTest {
  @Test
  void whatItComputes_isWhatItSays() throws Exception {
    Assumptions.assumeTrue(Shell.has("python3") && Shell.has("openssl"));

    Shell.Outcome outcome =
        Shell.run(List.of("python3", "src/test/resources/longday/longday_test.py", "."));

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.text()).contains("OK");
  }
}
