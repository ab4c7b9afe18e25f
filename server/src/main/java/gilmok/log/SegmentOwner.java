package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the node that owns a log, from its segments' headers. No state. */
public final class SegmentOwner {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  private SegmentOwner() {}

  /** The node in the newest segment header that can be read; null when there is none. */
  public static @Nullable NodeId ofNewest(Path log) throws IOException {
    if (!Files.isDirectory(log)) {
      return null;
    }
    FileDisk disk = new FileDisk();
    List<String> newestFirst =
        disk.list(log).stream()
            .filter(SegmentFormat::isSegment)
            .sorted(Comparator.reverseOrder())
            .toList();
    for (String name : newestFirst) {
      Path segment = log.resolve(name);
      try (Disk.File file = disk.openForReading(segment)) {
        return SegmentFormat.read(file.read(0, SegmentFormat.HEADER_BYTES), segment).node();
      } catch (DamagedLogException unsound) {
        // The log reports the damage when it is opened.
        LOGGER.log(Level.DEBUG, "its node cannot be read", unsound);
      }
    }
    return null;
  }
}
