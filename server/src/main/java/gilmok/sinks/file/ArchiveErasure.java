package gilmok.sinks.file;

import gilmok.event.ErasedRiders;
import java.io.IOException;

/**
 * Puts pseudonyms in the place of riders' ids in the archives of old documents, and the new size
 * and sum of each file in its manifest. Idempotent, and each file is as before or as it is to be,
 * also after a crash. What is being archived meanwhile may have been read before it was erased in
 * the documents: erase there, then here, and then both once more. Blocks; not thread-safe.
 *
 * @param folder one of its own: folders are not shared between threads
 */
public record ArchiveErasure(ArchiveFolder folder) {
  /** Puts them into all files. */
  public FilesErasure.Result erase(ErasedRiders riders, FilesErasure.Progress progress)
      throws IOException, InterruptedException {
    return folder.erase(new ErasedRows(riders, null), progress);
  }
}
