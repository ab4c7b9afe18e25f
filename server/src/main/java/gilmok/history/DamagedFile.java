package gilmok.history;

import gilmok.parquet.DamagedParquetException;
import java.io.IOException;

/** A file of the past cannot be read. Operators are told of it, and whoever asks. */
final class DamagedFile extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * A damaged file.
   *
   * @param file its path in the sink's folder
   */
  DamagedFile(String file, DamagedParquetException why) {
    super(why.getMessage(), why);
    this.file = file;
  }

  /** Its path in the sink's folder. */
  String file() {
    return file;
  }
}
