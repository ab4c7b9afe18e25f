package gilmok.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Records of another system, one after the other. Not thread-safe. */
interface ImportRows extends AutoCloseable {
  /**
   * A record.
   *
   * @param number its line, or its number, from 1
   * @param value null if it is no JSON object
   * @param text the record as it is in the source
   * @param fault why it cannot be a record; null if it may be one
   */
  record Row(long number, @Nullable JsonNode value, String text, @Nullable String fault) {}

  /** The next record; null at the end. */
  @Nullable Row next() throws IOException;

  /** How far it was read, as a text that {@link #resume} takes. */
  String position();

  /** Goes on where another run had come to. */
  void resume(String position) throws IOException;

  /** How much was read, from 0 to 1; negative when that is not known. */
  double progress();

  @Override
  void close() throws IOException;
}
