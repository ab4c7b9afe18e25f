package gilmok.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Describes the machine, for reports. Linux only. Stateless. */
public final class Machine {
  private Machine() {}

  /** The description in one line. */
  public static String describe() throws IOException {
    return String.format(
        "%d processors (%s), %,d MiB memory, %s %s, Java %s; load average before: %s",
        Runtime.getRuntime().availableProcessors(),
        field(Path.of("/proc/cpuinfo"), "model name"),
        Long.parseLong(field(Path.of("/proc/meminfo"), "MemTotal").replaceAll("[^0-9]", "")) >> 10,
        System.getProperty("os.name"),
        System.getProperty("os.version").replaceAll("-.*", ""),
        System.getProperty("java.version"),
        Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
  }

  private static String field(Path file, String name) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(name)) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return "0";
  }
}
