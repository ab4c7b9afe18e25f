package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Tiers.Tier;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each test class has the tag of one tier, and starts only what that tier may start. */
@Tag("unit")
final class TiersTest {
  /**
   * Tags of tests that run only on demand. Nothing in their code says so, so they are not checked.
   */
  private static final Set<String> ASKED_FOR = Set.of("contract", "k6", "soak");

  @ParameterizedTest
  @CsvSource({"server", "lab"})
  void classes_haveTheTagOfTheirTier(String module) throws IOException {
    Tiers tiers = new Tiers(module);
    Map<String, Set<String>> tags = new TreeMap<>();
    Map<String, Set<String>> wanted = new TreeMap<>();
    for (String test : tiers.tests()) {
      Set<String> has = new HashSet<>(tiers.tags(test));
      has.remove("alone"); // says when it runs, not what it starts
      boolean isAskedFor = has.removeAll(ASKED_FOR) && has.isEmpty();
      if (!isAskedFor) {
        tags.put(test, has);
        wanted.put(test, Set.of(tiers.needed(test).tag()));
      }
    }
    assertThat(tags).hasSizeGreaterThan(30).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({
    "TiersTest, UNIT",
    "HttpListenerIT, SERVER",
    "DurableAnswerIT, PROCESS",
    "RedisTierIT, ENGINE",
    "MapPageIT, BROWSER"
  })
  void whatAClassNeeds_isFoundThroughWhatItUses(String test, Tier tier) throws IOException {
    assertThat(new Tiers("server").needed(test)).isEqualTo(tier);
  }
}
