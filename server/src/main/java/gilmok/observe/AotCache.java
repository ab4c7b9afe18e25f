package gilmok.observe;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether this JVM runs with an ahead-of-time cache of classes and profiles. It goes on without one
 * that does not fit it, and only the memory it has mapped tells which it did.
 */
public enum AotCache {
  /** It was given none. */
  NONE,
  /** It was given one and has mapped it. */
  USED,
  /** It was given one that it has not mapped: one of other options, another JVM or another jar. */
  UNUSED,
  /** It runs to make one. */
  MAKING,
  /** It was given one, and what it did with it cannot be seen. */
  UNKNOWN;

  /** That of this process. Reads from the disk. */
  public static AotCache ofThisProcess() {
    return of(option("AOTCache"), option("AOTCacheOutput"), Path.of("/proc/self/maps"));
  }

  /**
   * What a JVM of the same classes is to be told, so that it starts as fast as this one.
   *
   * @return options for java; none when this process uses no cache
   */
  public static List<String> optionsForAnother() {
    return ofThisProcess() == USED ? List.of("-XX:AOTCache=" + option("AOTCache")) : List.of();
  }

  /**
   * What it is.
   *
   * @param given the cache the JVM was told to use; empty for none
   * @param making the one it was told to make; empty for none
   * @param maps the process's mapped files, as Linux tells them
   */
  static AotCache of(String given, String making, Path maps) {
    if (!making.isEmpty()) {
      return MAKING;
    }
    if (given.isEmpty()) {
      return NONE;
    }
    if (!Files.isReadable(maps)) {
      return UNKNOWN;
    }
    try {
      // Latin, as any name's bytes are then read and compared as they are.
      String file = " " + Path.of(given).toRealPath();
      String bytes = new String(file.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      return Files.readAllLines(maps, StandardCharsets.ISO_8859_1).stream()
              .anyMatch(line -> line.endsWith(bytes))
          ? USED
          : UNUSED;
    } catch (IOException _) {
      return UNUSED; // there is no such file
    }
  }

  private static String option(String name) {
    @Nullable HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (machine == null) {
      return "";
    }
    try {
      String value = machine.getVMOption(name).getValue();
      return value == null ? "" : value;
    } catch (IllegalArgumentException _) {
      return ""; // a JVM without such caches
    }
  }
}
