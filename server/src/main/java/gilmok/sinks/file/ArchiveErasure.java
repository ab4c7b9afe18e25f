package gilmok.sinks.file;

import gilmok.event.ErasedRiders;
import java.io.IOException;
import java.util.List;

/**
 * Puts pseudonyms in the place of riders' ids in the archives of old documents ({@link
 * ArchiveFolder}), and the new size and sum of each file in its manifest. Idempotent, and each file
 * is as before or as it is to be, also after a crash. Blocks; not thread-safe, and no document is
 * to be archived meanwhile: an archive that is being written may be put in place behind it.
 */
public final class ArchiveErasure {
  private final boolean isThere = false;

  /** Puts them into all files of this node. */
  public FilesErasure.Result erase(ErasedRiders riders, FilesErasure.Progress progress)
      throws IOException, InterruptedException {
    if (!isThere) {
      throw new IOException("follows within the hour");
    }
    return new FilesErasure.Result(0, 0, 0, List.of());
  }
}
