package gilmok.observe.machine;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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

  /** More than any such line. */
  private static final int LINE_BYTES_MAX = 1 << 10;

  /** Reads the line; null when there is none, as after the thread's end. */
  static @Nullable ProcessStat read(Path file) {
    byte[] bytes = new byte[LINE_BYTES_MAX];
    try (InputStream in = new FileInputStream(file.toFile())) {
      int length = in.read(bytes); // the kernel answers with the whole line at once
      // A name is any bytes, and may be cut within a character.
      return length <= 0 ? null : parse(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
    } catch (IOException gone) {
      return null;
    }
  }

  /** Parses the line; null when it is no such line. Many are: it makes no string of each field. */
  static @Nullable ProcessStat parse(String line) {
    int open = line.indexOf('(');
    int close = line.lastIndexOf(')'); // a name may have brackets and spaces
    if (open < 0 || close < open) {
      return null;
    }
    int[] starts = new int[BEGAN + 2];
    starts[0] = close + 2;
    for (int field = 1; field < starts.length; field++) {
      int space = line.indexOf(' ', starts[field - 1]);
      if (space < 0) {
        return null;
      }
      starts[field] = space + 1;
    }
    try {
      return new ProcessStat(
          line.substring(open + 1, close),
          number(line, starts, MAJOR_FAULTS),
          number(line, starts, USER) + number(line, starts, SYSTEM),
          line.substring(starts[BEGAN], starts[BEGAN + 1] - 1));
    } catch (NumberFormatException other) {
      return null;
    }
  }

  private static long number(String line, int[] starts, int field) {
    return Long.parseLong(line, starts[field], starts[field + 1] - 1, 10);
  }
}
