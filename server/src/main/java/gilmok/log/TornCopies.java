package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The copies of torn tails that {@link Recovery} has kept for somebody to look at. What records are
 * in them is not known, so an erasure deletes them; but those of the segment that is written to
 * stay, as they tell the next start that it was cut.
 */
record TornCopies(Disk disk, Path folder) {
  /** Whether there is one of that segment. */
  boolean has(Segments.Segment segment) throws IOException {
    String name = segment.path().getFileName().toString();
    return names().stream().anyMatch(copy -> copy.startsWith(name));
  }

  /** Deletes those of all other segments, durably. */
  void deleteBefore(Segments.@Nullable Segment newest) throws IOException {
    String kept = newest == null ? "-" : newest.path().getFileName().toString();
    boolean hasChanged = false;
    for (String copy : names()) {
      if (!copy.startsWith(kept)) {
        disk.delete(folder.resolve(copy));
        hasChanged = true;
      }
    }
    if (hasChanged) {
      disk.forceFolder(folder);
    }
  }

  private List<String> names() throws IOException {
    try {
      return disk.list(folder);
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }
}
