package gilmok.sinks.file;

import gilmok.log.Stream;
import gilmok.storage.FileOutput;
import java.io.IOException;

/** The format of a file of records. */
public enum FileFormat {
  /** A JSON object for each record, compressed with zstd. */
  NDJSON(".ndjson.zst"),
  /** A table for each stream, compressed with zstd. */
  PARQUET(".parquet");

  private final String suffix;

  FileFormat(String suffix) {
    this.suffix = suffix;
  }

  /** The suffix of file names. */
  String suffix() {
    return suffix;
  }

  RecordFile begin(Stream stream, FileOutput out) throws IOException {
    return this == NDJSON ? new NdjsonFile(out) : new ParquetRows(stream, out);
  }
}
