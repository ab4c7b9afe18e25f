package gilmok.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Reads files that are part of this program. From any thread. */
public final class ProgramFile {
  private ProgramFile() {}

  /**
   * The content of a file.
   *
   * @param beside the class in whose package it is, unless its name begins with a slash
   * @throws IllegalStateException when there is no such file
   */
  public static byte[] bytes(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            name + " is missing beside " + beside.getName() + ": build this program with Maven");
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
