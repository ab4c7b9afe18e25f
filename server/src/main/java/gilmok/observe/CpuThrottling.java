package gilmok.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How often the container's processor limit has stopped the process, as the kernel tells it in a
 * file of {@code name number} lines (cgroup v2). Shows nothing where there is no limit.
 * Thread-safe.
 */
final class CpuThrottling {
  private final Path file;

  CpuThrottling(Path file) {
    this.file = file;
  }

  void show(Meters meters) {
    show(meters, "nr_periods", 1, "gilmok_cpu_periods_total", "Periods of the processor limit.");
    show(
        meters,
        "nr_throttled",
        1,
        "gilmok_cpu_throttled_periods_total",
        "Periods in which the processor limit stopped the process.");
    show(
        meters,
        "throttled_usec",
        1e-6,
        "gilmok_cpu_throttled_seconds_total",
        "How long the processor limit has stopped the process.");
  }

  private void show(Meters meters, String field, double unit, String name, String help) {
    if (read(field) >= 0) {
      meters.counter(name, help, () -> Math.max(0, read(field)) * unit);
    }
  }

  /** The field's number; -1 when it is not there. */
  long read(String field) {
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(field + " ")) {
          return Long.parseLong(line.substring(field.length() + 1).strip());
        }
      }
    } catch (IOException | NumberFormatException _) {
      // No such file or not such a one: there is no limit to tell of.
    }
    return -1;
  }
}
