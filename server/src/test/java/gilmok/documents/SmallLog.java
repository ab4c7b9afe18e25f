package gilmok.documents;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Documents whose write-ahead log has a sixteenth of the usual bounds: 4, 8 and 32 MiB. */
public final class SmallLog {
  static final SqliteWalBounds BOUNDS = new SqliteWalBounds(1_024, 2_048, 8_192);

  /** More than it may have while readers end in time: twice the size that counts as large. */
  public static final long BYTES_MAX = 2 * 2_048 * 4_120L;

  private SmallLog() {}

  /** Opens the documents of a folder. */
  public static SqliteDatabase open(Path folder, SqliteConfig config, Meters meters)
      throws IOException {
    return SqliteDatabase.open(
        folder, config, meters, SqliteSchema.MIGRATIONS, SqliteSource.Folder.open(folder), BOUNDS);
  }

  /** The bytes of the log. */
  public static long bytes(Path folder) throws IOException {
    return Files.size(folder.resolve(SqliteDatabase.LOG_FILE));
  }
}
