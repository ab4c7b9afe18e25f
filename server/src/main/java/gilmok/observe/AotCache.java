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
 * Whether this JVM uses an ahead-of-time cache of classes and profiles. A JVM ignores a cache that
 * does not fit it; only its mapped memory shows whether it did.
 */
public enum AotCache {
  /** The JVM was given no cache. */
  NONE,
  /** The JVM was given a cache and has mapped it. */
  USED,
  /**
   * The JVM was given a cache but has not mapped it: the cache is for other options, another JVM or
   * another jar.
   */
  UNUSED,
  /** The JVM runs in order to make a cache. */
  MAKING,
  /** The JVM was given a cache, but whether it uses it cannot be seen. */
  UNKNOWN;

  private static final String FOR_AGENTS = "--add-modules=java.instrument";

  /** The state of this process. Reads from the disk. */
  public static AotCache ofThisProcess() {
    return of(option("AOTCache"), option("AOTCacheOutput"), Path.of("/proc/self/maps"));
  }

  /**
   * The options for another JVM with the same classes, so that it starts as fast as this one.
   *
   * @return options for java; none when this process uses no cache
   */
  public static List<String> optionsForAnother() {
    if (ofThisProcess() != USED) {
      return List.of();
    }
    String cache = "-XX:AOTCache=" + option("AOTCache");
    // One that was trained for agents fits only with the module that they need.
    boolean isForAgents =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .anyMatch(given -> given.startsWith("-javaagent:") || given.equals(FOR_AGENTS));
    return isForAgents ? List.of(cache, FOR_AGENTS) : List.of(cache);
  }

  /**
   * The state, from the JVM's options and its mapped files.
   *
   * @param given the cache the JVM was told to use; empty for none
   * @param making the cache it was told to make; empty for none
   * @param maps the list of the process's mapped files, as Linux has it
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
      // Latin-1 keeps the bytes of any name as they are, so that they can be compared.
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
