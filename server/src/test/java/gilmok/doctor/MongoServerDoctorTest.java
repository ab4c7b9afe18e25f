package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoServerState;
import gilmok.documents.MongoServerState.Connections;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a MongoDB server says about itself, well and not. */
@Tag("unit")
final class MongoServerDoctorTest {
  private static final Duration LITTLE = Duration.ofMillis(3);

  private static List<Check> look(long open, long available, int nodes, Duration ahead) {
    return MongoServerDoctor.look(
        new MongoServerState(new Connections(open, available), ahead, LITTLE), nodes, 64);
  }

  @Test
  void roomForAllNodes_andTheSameTime_areWell() {
    List<Check> checks = look(100, 900, 3, Duration.ofMillis(-900));
    assertThat(checks).extracting(Check::verdict).containsExactly("well", "well");
    assertThat(checks)
        .extracting(Check::seen)
        .containsExactly("100 open of 1,000; 3 nodes may open 201", "0.9 s behind this machine's");
  }

  @Test
  void moreThanItTakes_isFoundBeforeTheyAreOpen() {
    Check connections = look(20, 180, 3, Duration.ZERO).getFirst();
    assertThat(connections.verdict()).isEqualTo("look");
    assertThat(connections.advice())
        .contains("documents.mongo-connections-max", "net.maxIncomingConnections", "ulimit");
    // Others have taken them.
    assertThat(look(950, 50, 1, Duration.ZERO).getFirst().verdict()).isEqualTo("look");
    // None of ours runs: the one that is about to start counts.
    assertThat(look(0, 66, 0, Duration.ZERO).getFirst().verdict()).isEqualTo("look");
    assertThat(look(0, 67, 0, Duration.ZERO).getFirst().verdict()).isEqualTo("well");
  }

  @Test
  void anotherTime_isFound() {
    Check clock = look(1, 999, 1, Duration.ofSeconds(2)).getLast();
    assertThat(clock.seen()).isEqualTo("2.0 s ahead of this machine's");
    assertThat(clock.verdict()).isEqualTo("look");
    assertThat(clock.advice()).contains("chrony");
  }

  @Test
  void whatTheUserMayNotAsk_isUnknown() {
    List<Check> checks = MongoServerDoctor.look(new MongoServerState(null, null, LITTLE), 2, 64);
    assertThat(checks).extracting(Check::verdict).containsExactly("unknown", "unknown");
    assertThat(checks.getFirst().seen()).startsWith("2 nodes may open 134; ");
    assertThat(checks.getFirst().advice()).contains("clusterMonitor");
  }
}
