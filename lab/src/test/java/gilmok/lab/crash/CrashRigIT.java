package gilmok.lab.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of the rig against the server's jar, which the build makes before this module. */
@Tag("process")
class CrashRigIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");

  @TempDir private Path work;

  @Test
  void run_fiveKillsUnderLoad_everyAcknowledgedRecordIsThereOnce() throws Exception {
    assertThat(Files.exists(JAR)).as("%s: build with package or verify", JAR).isTrue();
    CrashRig.Plan plan = new CrashRig.Plan(5, 8, 1_500, 5_000, System.nanoTime());
    CrashRig.Outcome outcome = new CrashRig(JAR, work, plan, System.out::println).run();
    assertThat(outcome.firstViolations()).as("seed %d", plan.seed()).isEmpty();
    assertThat(outcome.violations()).isZero();
    assertThat(outcome.acknowledged()).isPositive();
    assertThat(outcome.found()).isEqualTo(outcome.sent());
    assertThat(outcome.answeredAsRepeats()).isPositive();
  }
}
