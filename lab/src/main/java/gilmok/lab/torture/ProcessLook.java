package gilmok.lab.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads the kernel's data about a process. A process that has ended, even during the call, has no
 * data, which is no error. Thread-safe.
 */
final class ProcessLook {
  private static final String FILES = "Max open files";

  private ProcessLook() {}

  /** The letter of its state, as {@code T} for a stopped process; a space if it has ended. */
  static char state(long pid) {
    List<String> lines = lines(of(pid, "stat"));
    String line = lines.isEmpty() ? "" : lines.getFirst();
    int at = line.lastIndexOf(')') + 2;
    return at > 1 && at < line.length() ? line.charAt(at) : ' ';
  }

  /** Whether it is stopped, by a signal or by its tracer. */
  static boolean isStopped(long pid) {
    return Character.toUpperCase(state(pid)) == 'T';
  }

  /**
   * The process ids that trace its threads, with 0 for a thread without a tracer; empty if it has
   * ended.
   */
  static Set<Long> tracers(long pid) {
    Set<Long> tracers = new HashSet<>();
    for (Path thread : entries(of(pid, "task"))) {
      for (String line : lines(thread.resolve("status"))) {
        if (line.startsWith("TracerPid:")) {
          tracers.add(Long.parseLong(line.substring(line.indexOf(':') + 1).strip()));
        }
      }
    }
    return tracers;
  }

  /** The number of its open files. */
  static OptionalLong openFiles(long pid) {
    List<Path> open = entries(of(pid, "fd"));
    return open.isEmpty() ? OptionalLong.empty() : OptionalLong.of(open.size());
  }

  /** The soft limit of open files. */
  static OptionalLong filesMax(long pid) {
    return lines(of(pid, "limits")).stream()
        .filter(line -> line.startsWith(FILES))
        .map(line -> line.substring(FILES.length()).strip().split(" +")[0])
        .filter(number -> number.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  /** Whether it has mapped a file. */
  static boolean isMapped(long pid, Path file) {
    return lines(of(pid, "maps")).stream().anyMatch(line -> line.endsWith(" " + file));
  }

  private static Path of(long pid, String file) {
    return Path.of("/proc", Long.toString(pid), file);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException ended) {
      return List.of();
    }
  }

  private static List<Path> entries(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.toList();
    } catch (IOException | UncheckedIOException ended) {
      return List.of();
    }
  }
}
