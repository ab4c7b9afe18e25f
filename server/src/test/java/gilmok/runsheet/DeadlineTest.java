package gilmok.runsheet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("unit")
class DeadlineTest {
  private static final String SLEPT = "voluntary_ctxt_switches:";

  @Test
  void used_growsToOne_andEndsAtOnceWhenTakenBack() {
    Deadline soon = new Deadline(1);
    Deadline late = new Deadline(TimeUnit.HOURS.toNanos(1));
    assertThat(late.used()).isBetween(0.0, 0.5);
    assertThat(soon.used()).isGreaterThanOrEqualTo(1);
    late.end();
    assertThat(late.used()).isGreaterThanOrEqualTo(1);
  }

  /**
   * The planner must give up its processor now and then; the kernel counts how often a thread does.
   */
  @Test
  @EnabledOnOs(OS.LINUX)
  void used_letsOthersHaveTheProcessorNowAndThen() throws Exception {
    Deadline deadline = new Deadline(TimeUnit.HOURS.toNanos(1));
    long before = slept();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
    while (System.nanoTime() - until < 0) {
      double _ = deadline.used();
    }
    assertThat(slept() - before).isBetween(3L, 400L);
  }

  private static long slept() throws Exception {
    return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
        .filter(line -> line.startsWith(SLEPT))
        .mapToLong(line -> Long.parseLong(line.substring(SLEPT.length()).trim()))
        .sum();
  }
}
