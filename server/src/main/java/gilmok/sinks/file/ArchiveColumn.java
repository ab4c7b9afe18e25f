package gilmok.sinks.file;

/**
 * A column of an archive.
 *
 * @param isRequired whether every row has a value
 */
public record ArchiveColumn(String name, Kind kind, boolean isRequired) {
  /** What a column's values are. */
  public enum Kind {
    /** A {@link String}. */
    TEXT(ParquetColumn.Type.TEXT),
    /** A {@link Long}. */
    NUMBER(ParquetColumn.Type.NUMBER),
    /** A {@link Long}: epoch ms. */
    TIME(ParquetColumn.Type.TIME);

    private final ParquetColumn.Type type;

    Kind(ParquetColumn.Type type) {
      this.type = type;
    }
  }

  ParquetColumn begin() {
    return new ParquetColumn(name, kind.type, isRequired);
  }
}
