package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class ProcessorRequestTest {
  /** Weights as both kinds of runtimes make them of a request. */
  @ParameterizedTest
  @CsvSource({"0.1, 4, 17", "0.3, 12, 40", "1, 39, 100", "2, 79, 174", "256, 10000, 10000"})
  void weightOfV2_isReckonedBack_inBothWays(double asked, long linear, long curved) {
    assertThat(new ProcessorRequest(linear, true).linear()).isCloseTo(asked, within(0.03));
    assertThat(new ProcessorRequest(curved, true).curved()).isCloseTo(asked, within(0.03));
  }

  @Test
  void sharesOfV1_areWhatWasAskedFor() {
    ProcessorRequest request = new ProcessorRequest(512, false);
    assertThat(request.linear()).isEqualTo(0.5);
    assertThat(request.curved()).isEqualTo(0.5);
    assertThat(request.check(0).seen()).isEqualTo("about 0.5");
  }

  @Test
  void nothingAskedFor_inKubernetes_isNextToNone() {
    assertThat(new ProcessorRequest(2, false).check(0).seen()).isEqualTo("next to none");
    Check check = new ProcessorRequest(1, true).check(0);
    assertThat(check.seen()).isEqualTo("next to none");
    assertThat(check.verdict()).isEqualTo("look");
  }

  /** A weight of 40 is one processor of an older runtime, and 0.3 of a newer one. */
  @Test
  void enoughByOneWayOnly_isUnknown_withWhatToDo() {
    Check check = new ProcessorRequest(40, true).check(0);
    assertThat(check.seen()).isEqualTo("about 1.0; about 0.3 by runc 1.3.2 or newer");
    assertThat(check.verdict()).isEqualTo("unknown");
    assertThat(check.advice()).startsWith("if runc 1.3.2").contains("resources.requests.cpu");
  }

  @Test
  void limitBelowOneProcessor_isAllThatIsWanted() {
    assertThat(new ProcessorRequest(307, false).check(0.3).verdict()).isEqualTo("well");
    assertThat(new ProcessorRequest(307, false).check(0.5).verdict()).isEqualTo("look");
    assertThat(new ProcessorRequest(307, false).check(0.5).advice()).contains("towards its limit");
  }
}
