package gilmok.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How often the container's processor limit has stopped the process, as the kernel tells it in a
 * file of {@code name number} lines (cgroup v1 and v2). Shows nothing where there is none.
 * Thread-safe.
 */
public record CpuThrottling(@Nullable Path file) {
  /** That of the container this runs in, or of none. */
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

  /** The field's number; -1 when it is not there. */
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
      // No such file or not such a one: there is no limit to tell of.
    }
    return -1;
  }
}
