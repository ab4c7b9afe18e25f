package gilmok.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Damages the log of a server that does not run. */
public final class Damage {
  private Damage() {}

  /**
   * Changes the first byte of {@code text} in the oldest segment that contains it.
   *
   * @return that segment
   * @throws AssertionError if no segment contains the text
   */
  public static Path at(Path data, String text) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("log"))) {
      for (Path file : files.sorted().toList()) {
        byte[] bytes = Files.readAllBytes(file);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
        if (at >= 0) {
          bytes[at] ^= 1;
          Files.write(file, bytes);
          return file;
        }
      }
    }
    throw new AssertionError(text + " is not in the log");
  }
}
