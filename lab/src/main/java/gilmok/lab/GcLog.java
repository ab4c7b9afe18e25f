package gilmok.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The figures of a JVM's {@code -Xlog:gc}, in bytes and milliseconds.
 *
 * @param allocatedBytes allocated between the first collection and the last
 * @param heapAfterMax the largest heap after a collection
 * @param pauses the number of pauses
 * @param pauseMillis the sum of the pauses
 * @param pauseMillisMax the longest pause
 */
public record GcLog(
    long allocatedBytes, long heapAfterMax, int pauses, double pauseMillis, double pauseMillisMax) {
  private static final Pattern PAUSE =
      Pattern.compile(".*Pause .* (\\d+)([KMG])->(\\d+)([KMG])\\(\\d+[KMG]\\) ([0-9.]+)ms");
  private static final Map<String, Long> UNITS =
      Map.of("K", 1L << 10, "M", 1L << 20, "G", 1L << 30);

  /** Reads a log file; all figures are 0 if it does not exist. */
  public static GcLog read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new GcLog(0, 0, 0, 0, 0);
    }
    try (Stream<String> lines = Files.lines(file)) {
      return of(lines);
    }
  }

  /** Reads the lines of a log. */
  public static GcLog of(Stream<String> lines) {
    long allocated = 0;
    long after = -1;
    long afterMax = 0;
    int pauses = 0;
    double millis = 0;
    double millisMax = 0;
    for (String line : (Iterable<String>) lines::iterator) {
      Matcher matcher = PAUSE.matcher(line);
      if (!matcher.matches()) {
        continue;
      }
      long before = Long.parseLong(matcher.group(1)) * unit(matcher.group(2));
      // Memory that concurrent work frees between two pauses hides as much allocation.
      allocated += after < 0 ? 0 : Math.max(0, before - after);
      after = Long.parseLong(matcher.group(3)) * unit(matcher.group(4));
      afterMax = Math.max(afterMax, after);
      pauses++;
      double pause = Double.parseDouble(matcher.group(5));
      millis += pause;
      millisMax = Math.max(millisMax, pause);
    }
    return new GcLog(allocated, afterMax, pauses, millis, millisMax);
  }

  private static long unit(String letter) {
    return UNITS.getOrDefault(letter, 1L);
  }
}
