package gilmok.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How often the container's processor limit has stopped the process, read from the kernel's file of
 * {@code name number} lines (cgroup v1 and v2). Returns -1 where there is no such file.
 * Thread-safe.
 */
public record CpuThrottling(@Nullable Path file) {
  /** The counts of this process's container, if it runs in one. */
  public static CpuThrottling ofThisContainer() {
    return new CpuThrottling(Cgroup.ofThisProcess().cpuStat());
  }

  /** How long it has stopped the process, in microseconds; -1 when that is not known. */
  public long throttledMicros() {
    long micros = read("throttled_usec");
    if (micros >= 0) {
      return micros;
    }
    long nanos = read("throttled_time");
    return nanos < 0 ? -1 : nanos / 1000;
  }

  /** The number of a field; -1 when it is not there. */
  public long read(String field) {
    if (file == null) {
      return -1;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(field + " ")) {
          return Long.parseLong(line.substring(field.length() + 1).strip());
        }
      }
    } catch (IOException | NumberFormatException _) {
      // No such file, or not in that form: there is no limit.
    }
    return -1;
  }
}
