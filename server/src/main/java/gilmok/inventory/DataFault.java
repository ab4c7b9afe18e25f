package gilmok.inventory;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a file of the data folder is missing or has changed; the server does not start. The
 * message says what to do.
 */
final class DataFault extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * A fault in a file.
   *
   * @param essentialFile the file, if its owner may give it up
   */
  DataFault(Path file, String how, @Nullable EssentialFile essentialFile) {
    super(
        file
            + " "
            + how
            + (essentialFile == null
                ? ": put a backup in its place, or move it away"
                : ": put a backup in its place, or begin anew with --set begin-anew="
                    + essentialFile.fileName()
                    + " ("
                    + essentialFile.lost()
                    + ")"));
  }
}
