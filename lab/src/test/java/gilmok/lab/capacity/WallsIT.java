package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.capacity.Suspects.Resource;
import gilmok.lab.capacity.Suspects.Suspect;
import gilmok.lab.link.SlowLink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Walls that are put in on purpose are each named, by a load beyond them. On a machine that others
 * use, those are what is named, and rightly: then it is tried again, and at last left out.
 */
@Tag("process")
@Tag("alone")
class WallsIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");
  private static final StepRunner.Span SPAN = new StepRunner.Span(2, 5, false);
  private static final int TRIES = 3;
  private static final List<String> SHORT_LOG = List.of("--set", "log.retention=10s");

  /** A little more than a server needs to live. */
  private static final String HEAP = System.getProperty("walls.heap", "128m");

  @TempDir private Path work;

  @Test
  void slowDisk_isNamed() throws Exception {
    Suspect named =
        named(
            List.of(
                "strace",
                "-f",
                "--seccomp-bpf",
                "-qq",
                "-o",
                work.resolve("strace.out").toString(),
                "-e",
                "trace=fdatasync,fsync",
                "-e",
                "inject=fdatasync,fsync:delay_exit=30000"),
            "512m",
            SHORT_LOG,
            new CollectScenario(1, 1_000),
            12_000);

    assertThat(named.resource()).as(named.evidence()).isEqualTo(Resource.DISK);
  }

  @Test
  void oneProcessor_isNamed() throws Exception {
    Suspect named =
        named(
            List.of("taskset", "-c", "0"),
            "512m",
            SHORT_LOG,
            new CollectScenario(1, 1_000),
            120_000);

    assertThat(named.resource()).as(named.evidence()).isEqualTo(Resource.LIMIT);
    assertThat(named.evidence()).startsWith("it may use 1 of ");
  }

  @Test
  void smallHeap_isNamed() throws Exception {
    Suspect named = named(List.of(), HEAP, SHORT_LOG, new CollectScenario(50, 100_000), 1_000_000);

    assertThat(named.resource()).as(named.evidence()).isEqualTo(Resource.COLLECTOR);
  }

  @Test
  void lock_isNamed() throws Exception {
    Path agent = LockAgent.write(work.resolve("lock-agent.jar"));
    Suspect named =
        named(
            List.of("env", "JAVA_TOOL_OPTIONS=-javaagent:" + agent),
            "512m",
            List.of("--set", "log.retention=10s", "--set", "http.event-loops=4"),
            new CollectScenario(1, 1_000),
            12_000);

    assertThat(named.resource()).as(named.evidence()).isEqualTo(Resource.LOCK);
  }

  @Test
  void slowDatabase_isNamed() throws Exception {
    Servers servers = new Servers(JAR, work);
    try (Subject database = servers.secantus(Path.of("..").toRealPath());
        SlowLink link = SlowLink.open(0, database.port(), Duration.ofMillis(60))) {
      Suspect named =
          named(
              List.of(),
              "512m",
              List.of(
                  "--set",
                  "documents.mongo-uri=mongodb://127.0.0.1:"
                      + link.port()
                      + "/walls?directConnection=true"),
              new DeliveriesScenario(),
              1_500);

      assertThat(named.resource()).as(named.evidence()).isEqualTo(Resource.DATABASE);
    }
  }

  /** What is named for a server that gets more than it can take. */
  private Suspect named(
      List<String> before, String heap, List<String> arguments, LoadScenario scenario, double units)
      throws Exception {
    for (int i = 1; ; i++) {
      Suspect named = namedOnce(before, heap, arguments, scenario, units);
      if (named.resource() != Resource.NEIGHBOURS) {
        return named;
      }
      Assumptions.assumeTrue(i < TRIES, () -> "left out: others are at work: " + named.evidence());
    }
  }

  private Suspect namedOnce(
      List<String> before, String heap, List<String> arguments, LoadScenario scenario, double units)
      throws Exception {
    StepGoals goals = new StepGoals(scenario.usualP99Millis(), 0, 0.95);
    try (CapacityTarget target =
            CapacityTarget.start(
                CapacityTarget.Kind.GILMOK,
                new CapacityTarget.Start(before, heap, arguments),
                JAR,
                work);
        ResourceSampler sampler = new ResourceSampler(target);
        StepRunner runner =
            new StepRunner(
                target, scenario, goals, new StepRunner.Means(256, 1), sampler, _ -> {})) {
      runner.warm(3);
      LoadStep step = runner.step("above", units, SPAN);
      assertThat(step.holds()).as("a load within the wall says nothing: %s", step).isFalse();
      return Suspects.of(runner.seen(), step, goals).getFirst();
    }
  }
}
