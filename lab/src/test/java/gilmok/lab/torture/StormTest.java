package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
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

  @Test
  void befall_endFails_excusesNobodyAfterIt() throws Exception {
    Violations findings = new Violations();
    Storm storm = Storm.of(Set.of(), new SplittableRandom(1));
    Fault fault = new Fault.FullDisk();
    for (Exception wrong : List.of(new IOException("no"), new IllegalStateException("no"))) {
      storm.befall(
          new Storm.Planned(fault, 0, 0),
          () -> assertThat(storm.excuses().ofAStart(Long.MAX_VALUE)).isTrue(),
          () -> thrown(wrong),
          findings);
      assertThat(storm.excuses().ofAStart(Long.MAX_VALUE)).isFalse();
    }
    assertThat(findings.first())
        .hasSize(2)
        .allMatch(finding -> finding.startsWith("the rig itself: disk-full: "));
    assertThat(storm.untaken()).isEmpty();
  }

  @Test
  void befall_doesNotTake_isNotedAndEnded() throws Exception {
    Violations findings = new Violations();
    Storm storm = Storm.of(Set.of(), new SplittableRandom(1));
    List<String> done = new ArrayList<>();
    storm.befall(
        new Storm.Planned(new Fault.Hang(), 0, 0),
        () -> thrown(new DidNotTakeException("it goes on")),
        () -> done.add("ended"),
        findings);
    assertThat(done).containsExactly("ended");
    assertThat(storm.untaken()).containsExactly("hang did not take: it goes on");
    assertThat(findings.first()).isEmpty();
  }

  private static void thrown(Exception what) throws IOException {
    switch (what) {
      case IOException outage -> throw outage;
      case RuntimeException bug -> throw bug;
      default -> throw new AssertionError(what);
    }
  }
}
