package gilmok.parquet;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file is damaged, or is none that {@link ParquetWriter} wrote. */
public final class DamagedParquetException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable Path file;

  DamagedParquetException(String reason) {
    super(reason);
    file = null;
  }

  /** The same with the name of the file. */
  DamagedParquetException(Path file, DamagedParquetException cause) {
    super(file + ": " + cause.getMessage(), cause);
    this.file = file;
  }

  /** The file; null where it is not known. */
  public @Nullable Path file() {
    return file;
  }
}
