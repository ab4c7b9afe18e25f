package gilmok.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The processor time (user and system) that a process has used, in nanoseconds; the kernel counts
 * in steps of 10 ms. Linux only. Thread-safe.
 */
public final class ProcessorClock {
  private static final long NANOS_PER_TICK = 10_000_000L;
  private static final int USER_TICKS_FIELD = 11;
  private static final int SYSTEM_TICKS_FIELD = 12;

  /** User and system time of its children that have ended follow its own. */
  private static final int LAST_FIELD_WITH_CHILDREN = 14;

  private final Path stat;

  public ProcessorClock(long pid) {
    this.stat = Path.of("/proc", Long.toString(pid), "stat");
  }

  /** The clock of this process. */
  public static ProcessorClock own() {
    return new ProcessorClock(ProcessHandle.current().pid());
  }

  /** The processor time since the process began, in nanoseconds. */
  public long nanos() {
    try {
      return ticks(stat, SYSTEM_TICKS_FIELD) * NANOS_PER_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + stat, e);
    }
  }

  /**
   * The processor time of all processes of the machine, ended ones too as far as their parents
   * waited for them, in nanoseconds. It is not read from {@code /proc/stat}, as that counts who
   * runs when the clock ticks, and misses threads that run for less than a tick.
   */
  public static long machineNanos() {
    long ticks = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        try {
          ticks += ticks(process.resolve("stat"), LAST_FIELD_WITH_CHILDREN);
        } catch (IOException e) {
          // It has ended since the folder was listed.
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read /proc", e);
    }
    return ticks * NANOS_PER_TICK;
  }

  private static long ticks(Path stat, int lastField) throws IOException {
    String line = Files.readString(stat);
    // The command's name, in parentheses, may contain spaces and parentheses.
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return Arrays.stream(fields, USER_TICKS_FIELD, lastField + 1).mapToLong(Long::parseLong).sum();
  }
}
