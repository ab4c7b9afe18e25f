package gilmok.parquet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a footer, and checks that it is one of {@link ParquetWriter} and fits its file.
 *
 * <p>Not thread-safe.
 */
final class FooterParser {
  /** Parquet's number of a converted type: milliseconds since 1970. */
  private static final int TIMESTAMP_MILLIS = 9;

  /** The fewest bytes that a chunk's description can have. */
  private static final int CHUNK_BYTES_MIN = 20;

  private final ThriftReader thrift = new ThriftReader();
  private final long chunksEnd;
  private final List<ParquetFooter.Column> columns = new ArrayList<>();
  private int[] rowsOfGroups = {};
  private long[] offsets = {};
  private long[] sizes = {};
  private byte[][] mins = {};
  private byte[][] maxs = {};

  /** Of a file whose chunks must be before that position. */
  FooterParser(long chunksEnd) {
    this.chunksEnd = chunksEnd;
  }

  ParquetFooter parse(byte[] footer) throws DamagedParquetException {
    if (!FooterChecksum.isRight(footer, footer.length)) {
      throw new DamagedParquetException("the footer does not have its checksum");
    }
    thrift.wrap(footer, 0, footer.length);
    long rows = -1;
    boolean hasGroups = false;
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 2 -> schema();
        case 3 -> rows = thrift.longNumber();
        case 4 -> {
          groups();
          hasGroups = true;
        }
        default -> thrift.skip();
      }
    }
    if (!hasGroups || thrift.position() != footer.length) {
      throw new DamagedParquetException("the footer is incomplete");
    }
    ParquetFooter parsed = new ParquetFooter(columns, rowsOfGroups, offsets, sizes, mins, maxs);
    if (parsed.rows() != rows) {
      throw new DamagedParquetException(rows + " rows, but the row groups have " + parsed.rows());
    }
    return parsed;
  }

  private void schema() throws DamagedParquetException {
    int count = thrift.list(ThriftWriter.STRUCT, 1);
    if (!columns.isEmpty() || count == 0) {
      throw new DamagedParquetException("the schema has " + count + " elements");
    }
    for (int i = 0; i < count; i++) {
      thrift.enter();
      if (i == 0) {
        root(count - 1);
      } else {
        columns.add(column());
      }
    }
  }

  private void root(int children) throws DamagedParquetException {
    int said = -1;
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      if (field == 5) {
        said = thrift.number();
      } else {
        thrift.skip();
      }
    }
    if (said != children) {
      throw new DamagedParquetException("it is no flat table");
    }
  }

  private ParquetFooter.Column column() throws DamagedParquetException {
    String name = "";
    int physical = -1;
    int repetition = -1;
    int converted = -1;
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> physical = thrift.number();
        case 3 -> repetition = thrift.number();
        case 4 -> name = thrift.text();
        case 5 -> throw new DamagedParquetException("it is no flat table");
        case 6 -> converted = thrift.number();
        default -> thrift.skip();
      }
    }
    ParquetType type = type(physical, converted);
    if (type == null || repetition < 0 || repetition > 1) {
      throw new DamagedParquetException(
          "column " + name + " is none of ours: type " + physical + ", repetition " + repetition);
    }
    return new ParquetFooter.Column(name, type, repetition == 0);
  }

  private static @Nullable ParquetType type(int physical, int converted) {
    for (ParquetType type : ParquetType.values()) {
      boolean isTime = type == ParquetType.TIME;
      boolean fits = type.physical() != 2 || isTime == (converted == TIMESTAMP_MILLIS);
      if (type.physical() == physical && fits) {
        return type;
      }
    }
    return null;
  }

  private void groups() throws DamagedParquetException {
    if (columns.isEmpty() || rowsOfGroups.length > 0) {
      throw new DamagedParquetException("the row groups are not where they belong");
    }
    // Each group's description has one of each column, so there is never room for more than that.
    int count = thrift.list(ThriftWriter.STRUCT, CHUNK_BYTES_MIN * columns.size());
    int chunks = count * columns.size();
    rowsOfGroups = new int[count];
    offsets = new long[chunks];
    sizes = new long[chunks];
    mins = new byte[chunks][];
    maxs = new byte[chunks][];
    Arrays.fill(mins, ParquetFooter.none());
    Arrays.fill(maxs, ParquetFooter.none());
    for (int group = 0; group < count; group++) {
      thrift.enter();
      group(group);
    }
  }

  private void group(int group) throws DamagedParquetException {
    long rows = -1;
    boolean hasChunks = false;
    long chunkRows = -1;
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> {
          chunkRows = chunks(group);
          hasChunks = true;
        }
        case 3 -> rows = thrift.longNumber();
        default -> thrift.skip();
      }
    }
    if (!hasChunks || rows <= 0 || rows > Integer.MAX_VALUE || chunkRows != rows) {
      throw new DamagedParquetException("row group " + group + " has " + rows + " rows");
    }
    rowsOfGroups[group] = (int) rows;
  }

  /** Returns the rows of all chunks. */
  private long chunks(int group) throws DamagedParquetException {
    int count = thrift.list(ThriftWriter.STRUCT, 1);
    if (count != columns.size()) {
      throw new DamagedParquetException("row group " + group + " has " + count + " columns");
    }
    long rows = -1;
    for (int i = 0; i < count; i++) {
      long rowsOfThis = -1;
      thrift.enter();
      for (int field = thrift.field(); field != 0; field = thrift.field()) {
        if (field == 3) {
          thrift.struct();
          rowsOfThis = chunk(group * count + i, columns.get(i));
        } else {
          thrift.skip();
        }
      }
      if (rowsOfThis < 0 || (i > 0 && rowsOfThis != rows)) {
        throw new DamagedParquetException("row group " + group + ": columns of unequal length");
      }
      rows = rowsOfThis;
    }
    return rows;
  }

  /** Returns its rows. */
  private long chunk(int chunk, ParquetFooter.Column column) throws DamagedParquetException {
    long rows = -1;
    int physical = -1;
    int codec = -1;
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> physical = thrift.number();
        case 4 -> codec = thrift.number();
        case 5 -> rows = thrift.longNumber();
        case 7 -> sizes[chunk] = thrift.longNumber();
        case 9 -> offsets[chunk] = thrift.longNumber();
        case 11 -> throw new DamagedParquetException(column.name() + " has a dictionary");
        case 12 -> {
          thrift.struct();
          bounds(chunk, column.type());
        }
        default -> thrift.skip();
      }
    }
    long from = offsets[chunk];
    long size = sizes[chunk];
    boolean isWithin = from >= 4 && size > 0 && from <= chunksEnd && size <= chunksEnd - from;
    if (physical != column.type().physical() || codec != ParquetColumn.ZSTD || !isWithin) {
      throw new DamagedParquetException("the chunk of " + column.name() + " cannot be");
    }
    return rows;
  }

  private void bounds(int chunk, ParquetType type) throws DamagedParquetException {
    byte[] min = ParquetFooter.none();
    byte[] max = ParquetFooter.none();
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 5 -> max = thrift.binary();
        case 6 -> min = thrift.binary();
        default -> thrift.skip();
      }
    }
    if ((min == ParquetFooter.none()) != (max == ParquetFooter.none())) {
      throw new DamagedParquetException("one bound without the other");
    }
    boolean isNumber = type == ParquetType.NUMBER || type == ParquetType.TIME;
    if (isNumber && min != ParquetFooter.none() && (min.length != 8 || max.length != 8)) {
      throw new DamagedParquetException("bounds of " + min.length + " bytes");
    }
    if (isNumber || type == ParquetType.TEXT) {
      mins[chunk] = min;
      maxs[chunk] = max;
    }
  }
}
