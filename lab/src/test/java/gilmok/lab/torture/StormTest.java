package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StormTest {
  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

  @Test
  void of_sameSeed_isTheSame() {
    assertThat(Storm.of(ALL, new SplittableRandom(5)))
        .hasToString(Storm.of(ALL, new SplittableRandom(5)).toString());
  }

  @Test
  void of_manySeeds_haveEveryKindAndOneTracerAtMost() {
    Set<String> words = new HashSet<>();
    for (int seed = 0; seed < 500; seed++) {
      String storm = Storm.of(ALL, new SplittableRandom(seed)).toString();
      assertThat(storm).isNotEqualTo("nothing");
      assertThat(storm.split("fsync-", -1).length).isLessThanOrEqualTo(2);
      for (FaultKind kind : FaultKind.values()) {
        if (storm.contains(kind.word())) {
          words.add(kind.word());
        }
      }
    }
    Set<String> wanted = new HashSet<>();
    ALL.forEach(kind -> wanted.add(kind.word()));
    wanted.remove("damage");
    assertThat(words).containsAll(wanted);
  }
}
