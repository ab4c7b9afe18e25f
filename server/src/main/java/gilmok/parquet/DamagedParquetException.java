package gilmok.parquet;

import java.io.IOException;

/** A file is damaged, or is none that {@link ParquetWriter} wrote. */
public final class DamagedParquetException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedParquetException(String reason) {
    super(reason);
  }

  /** The same with the name of the file. */
  DamagedParquetException(String file, DamagedParquetException cause) {
    super(file + ": " + cause.getMessage(), cause);
  }
}
