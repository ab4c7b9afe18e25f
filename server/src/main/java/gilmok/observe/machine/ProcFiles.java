package gilmok.observe.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The kernel's files about the machine and this process. What they do not have is -1: other systems
 * have none of them, and some kernels and sandboxes not all. Immutable.
 *
 * @param root usually {@code /proc}
 */
record ProcFiles(Path root) {
  private static final long UNKNOWN = -1;
  private static final long KIBI = 1024;
  private static final double MICROS = 1e6;

  /** The average number of threads that ran or wanted to run during the last minute. */
  double load() {
    List<String> lines = lines("loadavg");
    return lines.isEmpty() ? UNKNOWN : number(lines.getFirst().split(" ", -1)[0]);
  }

  /** How much of the machine's swap is in use. */
  double swapUsedBytes() {
    List<String> lines = lines("meminfo");
    double total = bytes(lines, "SwapTotal:");
    double free = bytes(lines, "SwapFree:");
    return total < 0 || free < 0 ? UNKNOWN : total - free;
  }

  /** How much of this process is in the swap. */
  double processSwapBytes() {
    return bytes(lines("self/status"), "VmSwap:");
  }

  /** How often this process waited for memory to be read from a disk. */
  double majorFaults() {
    ProcessStat stat = ProcessStat.read(root.resolve("self/stat"));
    return stat == null ? UNKNOWN : stat.majorFaults();
  }

  /**
   * How long some thread waited for a resource, in seconds.
   *
   * @param resource {@code cpu}, {@code memory} or {@code io}
   */
  double pressureSeconds(String resource) {
    for (String line : lines("pressure/" + resource)) {
      if (line.startsWith("some ")) {
        double micros = number(line.substring(line.lastIndexOf('=') + 1));
        return micros < 0 ? UNKNOWN : micros / MICROS;
      }
    }
    return UNKNOWN;
  }

  /** The value of a line such as {@code SwapFree: 1024 kB}. */
  private static double bytes(List<String> lines, String key) {
    for (String line : lines) {
      if (line.startsWith(key) && line.endsWith(" kB")) {
        double kibibytes = number(line.substring(key.length(), line.length() - 3).strip());
        return kibibytes < 0 ? UNKNOWN : kibibytes * KIBI;
      }
    }
    return UNKNOWN;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException other) {
      return UNKNOWN;
    }
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException none) {
      return List.of();
    }
  }
}
