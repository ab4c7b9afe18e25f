package gilmok.diagnose;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A file of a diagnosis.
 *
 * @param name of the file, as {@code threads.txt}
 * @param writer writes it
 */
public record DiagnosisPart(String name, Writer writer) {
  /** Writes a file. Its failure is noted in the diagnosis, and ends nothing else. */
  @FunctionalInterface
  public interface Writer {
    /** Writes everything; the stream is not to be closed. On a virtual thread: it may block. */
    void write(OutputStream out) throws IOException, InterruptedException;
  }
}
