package gilmok.sinks.file;

import gilmok.config.Settings;
import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code archive.*}.
 *
 * @param folder where old documents are archived; null for one in the data folder
 * @param rests {@code archive.rest}: after each step of archiving and removing, it rests this many
 *     times as long as the step took
 */
public record ArchiveConfig(@Nullable Path folder, int rests) {
  /** Reads the keys. */
  public static ArchiveConfig from(Settings settings) {
    String folder = settings.optionalText("archive.folder");
    return new ArchiveConfig(
        folder == null ? null : Path.of(folder), settings.number("archive.rest", 4, 0, 100));
  }

  /** The folder, for a server with that data folder. */
  public Path folder(Path data) {
    return folder != null ? folder : data.resolve("archive");
  }

  /**
   * The folder to write to; each thread that archives needs one of its own.
   *
   * @param lock the same for all of a server
   */
  public ArchiveFolder open(
      Path data, NodeId node, Disk disk, InstantSource clock, ReentrantLock lock) {
    return new ArchiveFolder(folder(data), node, disk, clock, lock);
  }
}
