package gilmok.sinks.file;

import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetType;

/**
 * A column of an archive.
 *
 * @param isRequired whether every row has a value
 */
public record ArchiveColumn(String name, Kind kind, boolean isRequired) {
  /** What a column's values are. */
  public enum Kind {
    /** A {@link String}. */
    TEXT(ParquetType.TEXT),
    /** A {@link Long}. */
    NUMBER(ParquetType.NUMBER),
    /** A {@link Long}: epoch ms. */
    TIME(ParquetType.TIME);

    private final ParquetType type;

    Kind(ParquetType type) {
      this.type = type;
    }
  }

  ParquetColumn begin() {
    return new ParquetColumn(name, kind.type, isRequired);
  }
}
