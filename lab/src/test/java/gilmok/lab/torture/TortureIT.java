package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.start.LauncherOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Torture for some minutes, only on request: {@code -Dgilmok.torture=10m}. */
@Tag("process")
@Tag("soak")
class TortureIT {
  @TempDir Path work;
  @TempDir Path launcher;

  @Test
  void torture_asManyMinutesAsAskedFor_findsNothing() throws Exception {
    String asked = System.getProperty("gilmok.torture", "");
    Assumptions.assumeTrue(
        asked.matches("\\d{1,3}m"), "torture takes minutes: -Dgilmok.torture=10m asks for ten");
    Path jar = Path.of("../server/target/gilmok-all.jar").toAbsolutePath().normalize();
    assertThat(jar).exists();
    Means means = Means.find(EnumSet.allOf(FaultKind.class), work);
    Node.Program program = new Node.Program(jar, LauncherOptions.of(Path.of(".."), launcher));
    Torture.Plan plan = new Torture.Plan(program, work, means, Duration.ofSeconds(10), 6);
    List<String> said = new CopyOnWriteArrayList<>();
    long minutes = Long.parseLong(asked.substring(0, asked.length() - 1));
    long seed = System.nanoTime();
    long endNanos = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
    try (Torture torture = new Torture(plan, said::add)) {
      for (long i = 0; System.nanoTime() < endNanos; i++) {
        assertThat(torture.round(seed + i).findings()).as("%s", said).isZero();
      }
    }
    try (var left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
  }
}
