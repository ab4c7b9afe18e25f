package gilmok.parquet;

/** The type of a column's values; the numbers are Parquet's. */
public enum ParquetType {
  /** UTF-8. */
  TEXT(6),
  /** A {@code long}. */
  NUMBER(2),
  /** Milliseconds since 1970, UTC. */
  TIME(2),
  /** A {@code double}. */
  DECIMAL(5),
  /** A {@code boolean}. */
  FLAG(0);

  private final int physical;

  ParquetType(int physical) {
    this.physical = physical;
  }

  /** Parquet's number of the type in which the values are stored. */
  int physical() {
    return physical;
  }
}
