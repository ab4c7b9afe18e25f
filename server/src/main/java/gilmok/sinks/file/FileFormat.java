package gilmok.sinks.file;

import gilmok.log.Stream;
import gilmok.storage.FileOutput;
import java.io.IOException;

/** How records stand in a file. */
public enum FileFormat {
  /** A JSON object for each record, zstd. */
  NDJSON(".ndjson.zst"),
  /** A table for each stream, zstd. */
  PARQUET(".parquet");

  private final String suffix;

  FileFormat(String suffix) {
    this.suffix = suffix;
  }

  /** How names of such files end. */
  String suffix() {
    return suffix;
  }

  RecordFile begin(Stream stream, FileOutput out) throws IOException {
    return this == NDJSON ? new NdjsonFile(out) : new ParquetRows(stream, out);
  }
}
