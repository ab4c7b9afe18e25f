package gilmok.sinks.file;

import gilmok.config.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code archive.*}.
 *
 * @param folder where old documents are archived; null for one in the data folder
 */
public record ArchiveConfig(@Nullable Path folder) {
  /** Reads the keys. */
  public static ArchiveConfig from(Settings settings) {
    String folder = settings.optionalText("archive.folder");
    return new ArchiveConfig(folder == null ? null : Path.of(folder));
  }

  /** The folder, for a server with that data folder. */
  public Path folder(Path data) {
    return folder != null ? folder : data.resolve("archive");
  }
}
