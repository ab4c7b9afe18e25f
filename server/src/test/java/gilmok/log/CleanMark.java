package gilmok.log;

import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;

/** Checks whether a closed log ends with the footer of a clean close. For tests. */
public final class CleanMark {
  private CleanMark() {}

  /** Whether the last batch of a data folder's log is such a footer. */
  public static boolean isAtEndOf(Path data) throws IOException {
    FileDisk disk = new FileDisk();
    Path folder = data.resolve("log");
    Segments.Segment last = Segments.list(disk, folder).newest();
    if (last == null) {
      return false;
    }
    Recovery.Active found = new Recovery(disk, data.resolve("torn")).open(last, 0);
    found.file().close();
    return found.marked();
  }
}
