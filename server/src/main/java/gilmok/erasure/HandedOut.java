package gilmok.erasure;

import gilmok.event.JsonLines;
import java.io.IOException;

/**
 * Something that keeps data of riders, and hands them out.
 *
 * @param name of the file in the archive, without its suffix; {@code a-z} and dashes
 */
public record HandedOut(String name, Source source) {
  /** Reads what is kept of a rider. Thread-safe; blocks. */
  @FunctionalInterface
  public interface Source {
    /** Gives all of it. */
    void write(String riderId, JsonLines out) throws IOException, InterruptedException;
  }
}
