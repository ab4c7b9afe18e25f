package gilmok.lab.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pressure on the processors, from the kernel's pressure stall information. */
final class Pressure {
  private static final Path FILE = Path.of("/proc/pressure/cpu");

  private Pressure() {}

  /** The present pressure in words; empty if the kernel does not tell. */
  static String now() {
    try {
      String line = Files.exists(FILE) ? Files.readAllLines(FILE).getFirst() : "";
      int from = line.indexOf("avg10=");
      return from < 0
          ? ""
          : "somebody waited for a processor "
              + line.substring(from + "avg10=".length(), line.indexOf(' ', from))
              + " % of the last 10 s";
    } catch (IOException unreadable) {
      return "";
    }
  }
}
