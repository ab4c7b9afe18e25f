package gilmok.inventory;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file of the data folder is not as it was; the server does not start. Says what to do. */
final class DataFault extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * That something is wrong with a file.
   *
   * @param essentialFile which it is, if its owner may give it up
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
