package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processors of a process that is bound to one, and of the machine. */
@Tag("process")
final class MachineTimesIT {
  @Test
  void processors_ofTheMachine_areCountedBesideThoseOfAProcess() throws Exception {
    Process bound = new ProcessBuilder("taskset", "-c", "0", "sleep", "60").start();
    try {
      // taskset becomes sleep once it has bound itself.
      while (MachineTimes.processors(bound.pid()) > 1 && bound.isAlive()) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(MachineTimes.processors(bound.pid())).isEqualTo(1);
      assertThat(MachineTimes.processors())
          .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    } finally {
      bound.destroyForcibly();
    }
  }
}
