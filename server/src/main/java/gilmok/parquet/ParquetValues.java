package gilmok.parquet;

import com.github.luben.zstd.ZstdDecompressCtx;
import gilmok.event.LittleEndian;
import gilmok.storage.Disk;
import java.io.IOException;
import java.util.Arrays;

/**
 * The values of a column in some rows, which {@link ParquetReader} fills page by page. Its arrays
 * are used again for each page.
 *
 * <p>Not thread-safe.
 */
public final class ParquetValues {
  private final String column;
  private final ParquetType type;
  private int rows;
  private boolean[] present = {};

  /** Numbers, times, the bits of decimals, flags as 0 and 1, and where texts start. */
  private long[] numbers = {};

  private int[] lengths = {};

  /** The page as it was compressed; texts stay in it. */
  private byte[] page = {};

  private final ChunkReader chunk = new ChunkReader();

  /** Room for a column's values; the file's column must have the same type. */
  public ParquetValues(String column, ParquetType type) {
    this.column = column;
    this.type = type;
  }

  /** The name of the column. */
  public String column() {
    return column;
  }

  /** The type of the values. */
  public ParquetType type() {
    return type;
  }

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /** Whether the row has a value. */
  public boolean has(int row) {
    return present[row];
  }

  /** The number or time of a row that has one. */
  public long number(int row) {
    return numbers[row];
  }

  /** The decimal of a row that has one. */
  public double decimal(int row) {
    return Double.longBitsToDouble(numbers[row]);
  }

  /** The flag of a row that has one. */
  public boolean flag(int row) {
    return numbers[row] != 0;
  }

  /** The array in which the texts of all rows are, until the next page is read. */
  public byte[] bytes() {
    return page;
  }

  /** Where the text of a row that has one starts in {@link #bytes}. */
  public int offset(int row) {
    return (int) numbers[row];
  }

  /** The length in bytes of the text of a row that has one. */
  public int length(int row) {
    return lengths[row];
  }

  /** What reads the pages; its memory is used again, too. */
  ChunkReader chunk() {
    return chunk;
  }

  /** Sets rows without a value: the file has no such column. */
  void absent(int count) {
    room(count);
    Arrays.fill(present, 0, count, false);
    rows = count;
  }

  /** Reads the page whose header was read last. */
  void read(Disk.File file, ZstdDecompressCtx zstd, boolean isRequired) throws IOException {
    int bytes = chunk.load(file, column);
    int count = chunk.decompress(zstd, pageOf(bytes), column);
    decode(count, bytes, isRequired);
  }

  private byte[] pageOf(int bytes) {
    if (page.length < bytes) {
      page = new byte[Math.max(bytes, Math.min(2 * page.length, ChunkReader.PAGE_BYTES_MAX))];
    }
    return page;
  }

  /** Finds the values in the page. */
  private void decode(int count, int bytes, boolean isRequired) throws DamagedParquetException {
    room(count);
    rows = count;
    int from = isRequired ? allPresent(count) : levels(count, bytes);
    int end =
        switch (type) {
          case TEXT -> texts(from, bytes);
          case NUMBER, TIME, DECIMAL -> numbers(from, bytes);
          case FLAG -> flags(from, bytes);
        };
    if (end != bytes) {
      throw new DamagedParquetException("a page of " + column + " is longer than its values");
    }
  }

  private void room(int count) {
    if (present.length < count) {
      int size = Math.max(count, Math.min(2 * present.length, ParquetColumn.PAGE_ROWS_MAX));
      present = new boolean[size];
      numbers = new long[size];
      lengths = new int[type == ParquetType.TEXT ? size : 0];
    }
  }

  private int allPresent(int count) {
    Arrays.fill(present, 0, count, true);
    return 0;
  }

  /** Reads which rows have a value; returns where the values start. */
  private int levels(int count, int bytes) throws DamagedParquetException {
    check(bytes >= 4);
    int length = LittleEndian.getInt(page, 0);
    check(length >= 0 && length <= bytes - 4);
    int end = 4 + length;
    int p = 4;
    int row = 0;
    while (row < count) {
      int head = 0;
      int shift = 0;
      int next;
      do {
        check(p < end && shift < 28);
        next = page[p++];
        head |= (next & 0x7f) << shift;
        shift += 7;
      } while (next < 0);
      p =
          (head & 1) == 0
              ? run(row, count, p, end, head >> 1)
              : bits(row, count, p, end, head >> 1);
      row += (head & 1) == 0 ? head >> 1 : 8 * (head >> 1);
    }
    check(p == end);
    return end;
  }

  private int run(int row, int count, int p, int end, int length) throws DamagedParquetException {
    check(length > 0 && length <= count - row && p < end && (page[p] & 0xfe) == 0);
    Arrays.fill(present, row, row + length, page[p] == 1);
    return p + 1;
  }

  private int bits(int row, int count, int p, int end, int groups) throws DamagedParquetException {
    check(groups > 0 && groups <= (count - row + 7) >> 3 && groups <= end - p);
    int until = Math.min(count, row + 8 * groups);
    for (int i = row; i < until; i++) {
      present[i] = (page[p + ((i - row) >> 3)] >> ((i - row) & 7) & 1) == 1;
    }
    return p + groups;
  }

  private int texts(int from, int bytes) throws DamagedParquetException {
    int p = from;
    for (int row = 0; row < rows; row++) {
      if (present[row]) {
        check(bytes - p >= 4);
        int length = LittleEndian.getInt(page, p);
        check(length >= 0 && length <= bytes - p - 4);
        p += 4;
        numbers[row] = p;
        lengths[row] = length;
        p += length;
      }
    }
    return p;
  }

  private int numbers(int from, int bytes) throws DamagedParquetException {
    int p = from;
    for (int row = 0; row < rows; row++) {
      if (present[row]) {
        check(bytes - p >= 8);
        numbers[row] = LittleEndian.getLong(page, p);
        p += 8;
      }
    }
    return p;
  }

  private int flags(int from, int bytes) throws DamagedParquetException {
    int values = 0;
    for (int row = 0; row < rows; row++) {
      if (present[row]) {
        check(from + (values >> 3) < bytes);
        int value = page[from + (values >> 3)] >> (values & 7) & 1;
        numbers[row] = value;
        values++;
      }
    }
    return from + ((values + 7) >> 3);
  }

  private void check(boolean isSound) throws DamagedParquetException {
    if (!isSound) {
      throw new DamagedParquetException("a page of " + column + " does not have its values");
    }
  }
}
