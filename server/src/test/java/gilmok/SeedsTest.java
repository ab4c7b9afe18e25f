package gilmok;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The choice of seeds, and the message of a failure. */
@Tag("unit")
final class SeedsTest {
  @Test
  void each_triesThoseThatOnceFailedFirst_thenFreshOnes() {
    List<Long> tried = new ArrayList<>();
    Seeds.each(100, tried::add, 17, 4);
    assertThat(tried).startsWith(17L, 4L).contains(Seeds.first()).doesNotHaveDuplicates();
    assertThat(tried).hasSize(2 + Seeds.share(100));
  }

  @Test
  void each_failing_namesItsSeedAndHowToHaveItAgain() {
    assertThatThrownBy(
            () ->
                Seeds.each(
                    1,
                    seed -> {
                      if (seed == 3) {
                        throw new IOException("broken");
                      }
                    },
                    2,
                    3))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("seed 3; again with -Dgilmok.seed=3")
        .hasRootCauseMessage("broken");
  }

  @Test
  void share_isNeverNothing() {
    assertThat(Seeds.share(1)).isEqualTo(1);
    assertThat(Seeds.share(2000)).isIn(100, 2000);
  }
}
