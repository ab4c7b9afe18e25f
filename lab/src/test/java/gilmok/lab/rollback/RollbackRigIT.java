package gilmok.lab.rollback;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rig, with this version as the earlier one, too: earlier jars are not kept. */
@Tag("process")
final class RollbackRigIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");

  @TempDir private Path work;

  @Test
  void thereAndBack_underLoad_everythingIsThere() throws Exception {
    assertThat(Files.exists(JAR)).as("%s: build with package or verify", JAR).isTrue();
    RollbackRig.Plan plan = new RollbackRig.Plan(JAR, JAR, 1, 0, System.nanoTime());
    RollbackRig.Outcome outcome = new RollbackRig(work, plan, System.out::println).run();
    assertThat(outcome.firstViolations()).as("seed %d", plan.seed()).isEmpty();
    assertThat(outcome.violations()).isZero();
    assertThat(outcome.refusal()).isNull();
    assertThat(outcome.lives()).isEqualTo(3);
    assertThat(outcome.acknowledged()).isPositive();
    assertThat(outcome.asked()).isGreaterThan(150);
  }
}
