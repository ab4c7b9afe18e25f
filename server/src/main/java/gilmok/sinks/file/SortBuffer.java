package gilmok.sinks.file;

import gilmok.event.LittleEndian;
import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetFooter.Column;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.parquet.ParquetWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Rows in memory, to be written in the order of their first columns. A row lies in one array: for
 * each column a byte that says whether it has a value, and the value.
 *
 * <p>Bounded: {@link #BYTES_MAX} and 4 bytes a row, or a single row. Not thread-safe.
 */
final class SortBuffer {
  static final int ROWS_MAX = 1 << 18;
  static final int BYTES_MAX = 48 << 20;

  private final List<Column> columns;
  private final int keys;
  private final int rowsMax;
  private byte[] bytes = new byte[1 << 20];
  private ByteBuffer heap = writing(bytes);
  private int[] starts = new int[1024];
  private int rows;

  /**
   * An empty buffer.
   *
   * @param columns of the rows; the first {@code keys} of them decide the order, and rows in which
   *     these are equal are the same
   */
  SortBuffer(List<Column> columns, int keys, int rowsMax) {
    this.columns = columns;
    this.keys = keys;
    this.rowsMax = rowsMax;
  }

  private static ByteBuffer writing(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  int rows() {
    return rows;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  /** Copies a row, its values in the columns' order; false when there is no room for it. */
  boolean add(ParquetValues[] values, int row) {
    int length = 0;
    for (ParquetValues one : values) {
      length += 9 + (one.has(row) && one.type() == ParquetType.TEXT ? one.length(row) : 0);
    }
    if (rows > 0 && (rows == rowsMax || length > BYTES_MAX - heap.position())) {
      return false;
    }
    room(length);
    starts[rows++] = heap.position();
    for (ParquetValues one : values) {
      put(one, row);
    }
    return true;
  }

  private void room(int length) {
    if (length > heap.remaining()) {
      int larger = Math.min(BYTES_MAX, 2 * heap.capacity());
      bytes = Arrays.copyOf(bytes, Math.max(larger, heap.position() + length));
      heap = writing(bytes).position(heap.position());
    }
    if (rows == starts.length) {
      starts = Arrays.copyOf(starts, 2 * rows);
    }
  }

  private void put(ParquetValues values, int row) {
    boolean has = values.has(row);
    heap.put((byte) (has ? 1 : 0));
    if (has) {
      switch (values.type()) {
        case TEXT ->
            heap.putInt(values.length(row))
                .put(values.bytes(), values.offset(row), values.length(row));
        case DECIMAL -> heap.putLong(Double.doubleToRawLongBits(values.decimal(row)));
        case NUMBER, TIME -> heap.putLong(values.number(row));
        case FLAG -> heap.put((byte) (values.flag(row) ? 1 : 0));
      }
    }
  }

  /**
   * Writes the rows in their order, each once, and removes them.
   *
   * @param targets the writer's columns, in the order of this buffer's
   */
  void writeTo(ParquetWriter file, List<ParquetColumn> targets) throws IOException {
    Integer[] order = new Integer[rows];
    Arrays.setAll(order, i -> starts[i]);
    Arrays.sort(order, this::compare);
    for (int i = 0; i < order.length; i++) {
      if (i == 0 || compare(order[i - 1], order[i]) != 0) {
        int p = order[i];
        for (int c = 0; c < targets.size(); c++) {
          p = write(columns.get(c).type(), p, targets.get(c));
        }
        file.endRow();
      }
    }
    rows = 0;
    heap.clear();
  }

  /** Sets a value, if there is one; returns where the next begins. */
  private int write(ParquetType type, int at, ParquetColumn target) {
    int p = at + 1;
    if (bytes[at] == 0) {
      return p;
    }
    switch (type) {
      case TEXT -> target.text(bytes, p + 4, LittleEndian.getInt(bytes, p));
      case NUMBER, TIME -> target.number(LittleEndian.getLong(bytes, p));
      case DECIMAL -> target.decimal(Double.longBitsToDouble(LittleEndian.getLong(bytes, p)));
      case FLAG -> target.flag(bytes[p] != 0);
    }
    return p + length(type, p);
  }

  private int compare(int one, int other) {
    int a = one;
    int b = other;
    for (int key = 0; key < keys; key++) {
      int order = Byte.compare(bytes[a], bytes[b]);
      if (order == 0 && bytes[a++] == 1) {
        b++;
        ParquetType type = columns.get(key).type();
        order = compare(type, a, b);
        a += length(type, a);
        b += length(type, b);
      } else {
        b++;
      }
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private int compare(ParquetType type, int a, int b) {
    if (type == ParquetType.TEXT) {
      int endOfA = a + 4 + LittleEndian.getInt(bytes, a);
      int endOfB = b + 4 + LittleEndian.getInt(bytes, b);
      return Arrays.compareUnsigned(bytes, a + 4, endOfA, bytes, b + 4, endOfB);
    }
    return Long.compare(LittleEndian.getLong(bytes, a), LittleEndian.getLong(bytes, b));
  }

  private int length(ParquetType type, int at) {
    return switch (type) {
      case TEXT -> 4 + LittleEndian.getInt(bytes, at);
      case NUMBER, TIME, DECIMAL -> 8;
      case FLAG -> 1;
    };
  }
}
