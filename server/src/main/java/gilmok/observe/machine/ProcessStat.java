package gilmok.observe.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's line about a process or one of its threads, {@code /proc/…/stat}.
 *
 * @param name the thread's name, cut after 15 bytes
 * @param majorFaults how often it waited for memory to be read from a disk
 * @param ticks the processor time it has used, in hundredths of a second
 * @param began when it began; tells a thread from a later one with the same number
 */
record ProcessStat(String name, long majorFaults, long ticks, String began) {
  /** Ticks in a second: the same on every architecture of Linux that Java runs on. */
  static final double TICKS = 100;

  // Counted from the state, which follows the name.
  private static final int MAJOR_FAULTS = 9;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int BEGAN = 19;

  /** Reads the line; null when there is none, as after the thread's end. */
  static @Nullable ProcessStat read(Path file) {
    try {
      // A name is any bytes, and may be cut within a character.
      return parse(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (IOException gone) {
      return null;
    }
  }

  /** Parses the line; null when it is no such line. */
  static @Nullable ProcessStat parse(String line) {
    int open = line.indexOf('(');
    int close = line.lastIndexOf(')'); // a name may have brackets and spaces
    if (open < 0 || close < open) {
      return null;
    }
    String[] fields = line.substring(close + 1).strip().split(" ", -1);
    if (fields.length <= BEGAN) {
      return null;
    }
    try {
      return new ProcessStat(
          line.substring(open + 1, close),
          Long.parseLong(fields[MAJOR_FAULTS]),
          Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]),
          fields[BEGAN]);
    } catch (NumberFormatException other) {
      return null;
    }
  }
}
