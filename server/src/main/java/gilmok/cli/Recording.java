package gilmok.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of records, or standard input. The format is detected by the first bytes, not by the name:
 * gzip or plain, then JSON if the first character is a brace, else CSV.
 *
 * <p>{@link #progress} may be called from any thread; the rest belongs to the reading thread.
 */
final class Recording implements RecordingSource, AutoCloseable {
  private final TextFile file;
  private final RecordingSource source;

  private Recording(TextFile file) throws IOException {
    this.file = file;
    this.source =
        file.firstCharacter() == '{' ? new JsonSource(file.reader()) : new CsvSource(file.reader());
  }

  /** Opens a file, or standard input for {@code -}. */
  static Recording open(String name) throws IOException {
    TextFile file = TextFile.open(name, "positions (CSV or NDJSON, also .gz)");
    try {
      return new Recording(file);
    } catch (IOException broken) {
      file.close();
      throw TextFile.explained(broken);
    } catch (CommandFailure unusable) {
      file.close();
      throw unusable;
    }
  }

  /** Whether it can be opened again, and read from its beginning. */
  static boolean isRepeatable(String name) {
    return !name.equals("-") && Files.isRegularFile(Path.of(name));
  }

  @Override
  public @Nullable RecordingEntry next() {
    try {
      return source.next();
    } catch (IOException broken) {
      throw TextFile.explained(broken);
    }
  }

  @Override
  public long passedOver() {
    return source.passedOver();
  }

  /** How much has been read, from 0 to 1; negative when the size is not known. */
  double progress() {
    return file.progress();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
