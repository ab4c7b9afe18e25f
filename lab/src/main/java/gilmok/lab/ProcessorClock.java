package gilmok.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The processor time (user and system) that a process has used, in nanoseconds; the kernel counts
 * in steps of 10 ms. Linux only. Thread-safe.
 */
public final class ProcessorClock {
  private static final long NANOS_PER_TICK = 10_000_000L;
  private static final int USER_TICKS_FIELD = 11;
  private static final int SYSTEM_TICKS_FIELD = 12;

  /** User, nice, system, stolen. */
  private static final int[] MACHINE_FIELDS = {1, 2, 3, 8};

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
      String line = Files.readString(stat);
      // The command's name, in parentheses, may contain spaces and parentheses.
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      long ticks =
          Long.parseLong(fields[USER_TICKS_FIELD]) + Long.parseLong(fields[SYSTEM_TICKS_FIELD]);
      return ticks * NANOS_PER_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + stat, e);
    }
  }

  /**
   * The processor time of all processes of the machine, in nanoseconds. It includes what the host
   * of a virtual machine took (steal), but not the kernel's interrupts.
   */
  public static long machineNanos() {
    Path stat = Path.of("/proc/stat");
    try (Stream<String> lines = Files.lines(stat)) {
      String[] fields = lines.findFirst().orElse("").split(" +");
      long ticks = 0;
      for (int field : MACHINE_FIELDS) {
        ticks += Long.parseLong(fields[field]);
      }
      return ticks * NANOS_PER_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + stat, e);
    }
  }
}
