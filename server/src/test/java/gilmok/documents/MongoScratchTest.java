package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The name of the scratch database, which gets dropped: it is never a fleet's own. */
@Tag("unit")
final class MongoScratchTest {
  private static final String NODE = "abcdefghij27";

  @Test
  void name_isTheFleetsAndTheNodes() {
    assertThat(MongoScratch.name("gilmok", NODE)).isEqualTo("gilmok_warmup_abcdefghij27");
  }

  @Test
  void name_tooLong_losesOfTheFleetsAlone() {
    assertThat(MongoScratch.name("f".repeat(60), NODE))
        .isEqualTo("f".repeat(43) + "_warmup_abcdefghij27")
        .hasSize(63);
    assertThat(MongoScratch.name("배달", NODE)).isEqualTo("___warmup_abcdefghij27");
  }

  @Test
  void name_ofNoNode_isABug() {
    for (String node : new String[] {"", "abc", "ABCDEFGHIJ27", "abcdefghij2/"}) {
      assertThatThrownBy(() -> MongoScratch.name("gilmok", node))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
