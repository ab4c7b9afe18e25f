package gilmok.observe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads files of {@code /proc} and {@code /sys}. {@link Files#readString} and {@link
 * Files#readAllBytes} may get their first byte alone: they read as many bytes as such a file says
 * that it has, which is 0, then one more; and the kernel gives the whole of a setting to the first
 * read, and nothing to the next. Stateless.
 */
public final class KernelFile {
  private KernelFile() {}

  /** The file's bytes. */
  public static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readAllBytes();
    }
  }

  /** The file's text without white space at its ends; empty when it cannot be read. */
  public static String text(Path file) {
    try {
      return new String(bytes(file), StandardCharsets.UTF_8).strip();
    } catch (IOException _) {
      return "";
    }
  }
}
