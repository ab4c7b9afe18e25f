package gilmok.parquet;

import gilmok.event.LittleEndian;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a Parquet file's footer says: columns, row groups, where each chunk is, and its least and
 * greatest value. It can be kept apart from the open file. Columns are numbered as in the file.
 *
 * <p>Immutable.
 */
public final class ParquetFooter {
  private static final byte[] NONE = {};

  /**
   * A column of the file.
   *
   * @param isRequired whether every row has a value
   */
  public record Column(String name, ParquetType type, boolean isRequired) {}

  private final List<Column> columns;
  private final int[] rowsOfGroups;
  private final long rows;

  // Of each chunk, at group × columns + column.
  private final long[] offsets;
  private final long[] sizes;
  private final byte[][] mins;
  private final byte[][] maxs;

  /** Takes the arrays as they are. Absent bounds are empty arrays in both. */
  ParquetFooter(
      List<Column> columns,
      int[] rowsOfGroups,
      long[] offsets,
      long[] sizes,
      byte[][] mins,
      byte[][] maxs) {
    this.columns = List.copyOf(columns);
    this.rowsOfGroups = rowsOfGroups;
    this.offsets = offsets;
    this.sizes = sizes;
    this.mins = mins;
    this.maxs = maxs;
    rows = Arrays.stream(rowsOfGroups).asLongStream().sum();
  }

  /** The columns. */
  public List<Column> columns() {
    return columns;
  }

  /** The number of a column; -1 when there is none of that name. */
  public int column(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The rows of the file. */
  public long rows() {
    return rows;
  }

  /** The number of row groups. */
  public int groups() {
    return rowsOfGroups.length;
  }

  /** The rows of a row group. */
  public int rows(int group) {
    return rowsOfGroups[group];
  }

  /**
   * Whether the least and the greatest value of a chunk are known: of numbers and times, and of
   * texts that were {@linkplain ParquetColumn#boundTexts written with bounds}.
   */
  public boolean hasBounds(int group, int column) {
    return bound(maxs, group, column) != null;
  }

  /** The least number or time of a chunk that has bounds. */
  public long min(int group, int column) {
    return LittleEndian.getLong(mins[chunk(group, column)], 0);
  }

  /** The greatest number or time of a chunk that has bounds. */
  public long max(int group, int column) {
    return LittleEndian.getLong(maxs[chunk(group, column)], 0);
  }

  /** Whether a number or time from {@code from} to {@code to}, both included, may be in a chunk. */
  public boolean mayHave(int group, int column, long from, long to) {
    return !hasBounds(group, column) || (min(group, column) <= to && max(group, column) >= from);
  }

  /** Whether a text may be in a chunk. */
  public boolean mayHave(int group, int column, byte[] utf8) {
    byte[] min = bound(mins, group, column);
    byte[] max = bound(maxs, group, column);
    return min == null
        || max == null
        || (Arrays.compareUnsigned(min, utf8) <= 0 && Arrays.compareUnsigned(max, utf8) >= 0);
  }

  private byte @Nullable [] bound(byte[][] bounds, int group, int column) {
    byte[] bound = bounds[chunk(group, column)];
    return bound == NONE ? null : bound;
  }

  /** About how much memory this takes. */
  public long bytes() {
    long bytes = 200 + 100L * columns.size() + 4L * rowsOfGroups.length + 24L * offsets.length;
    for (int i = 0; i < mins.length; i++) {
      if (mins[i] != NONE) {
        bytes += 48 + mins[i].length + maxs[i].length;
      }
    }
    return bytes;
  }

  static byte[] none() {
    return NONE;
  }

  long offset(int group, int column) {
    return offsets[chunk(group, column)];
  }

  long size(int group, int column) {
    return sizes[chunk(group, column)];
  }

  private int chunk(int group, int column) {
    return group * columns.size() + column;
  }
}
