package gilmok.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class MachineMetersTest {
  @TempDir Path folder;
  private final Meters meters = new Meters();

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void show_thisMachine_whatItUses() {
    MachineMeters.show(meters, _ -> false);
    System.gc();
    double allocated = value("gilmok_allocated_bytes_total");
    byte[] more = new byte[1 << 20];

    assertThat(value("gilmok_allocated_bytes_total")).isGreaterThan(allocated + more.length);
    assertThat(value("gilmok_heap_after_gc_bytes"))
        .isPositive()
        .isLessThanOrEqualTo((double) Runtime.getRuntime().maxMemory());
    assertThat(value("gilmok_processors")).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(value("process_cpu_seconds_total")).isPositive();
    assertThat(value("gilmok_virtual_threads_parallelism")).isPositive();
    assertThat(text()).contains("gilmok_lock_wait_seconds_sum ", "# TYPE gilmok_lock_wait_seconds");
  }

  @Test
  void ofKernel_machineWithoutIt_showsNothing() {
    MachineMeters.ofKernel(meters, folder, _ -> false);

    assertThat(text()).doesNotContain("gilmok_host_", "gilmok_process_", "gilmok_processor_");
  }

  private String text() {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }

  private double value(String name) {
    return text()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }
}
