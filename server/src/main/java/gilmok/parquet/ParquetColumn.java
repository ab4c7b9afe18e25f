package gilmok.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One column of a Parquet file: the page being filled, and the compressed pages of the present row
 * group. Values are written plain; zstd finds repetitions.
 *
 * <p>A page's body of an optional column begins with one bit per row for whether it has a value
 * (one run of them, after its length); then come the values.
 *
 * <p>Not thread-safe: owned by its writer's thread.
 */
public final class ParquetColumn {
  /** The most rows of a page. */
  static final int PAGE_ROWS_MAX = 20_480;

  /** Room before the values for the longest run of presence bits. */
  private static final int HEAD = 16 + PAGE_ROWS_MAX / 8;

  /** A longer text leaves its row group without bounds. */
  private static final int BOUND_BYTES_MAX = 1024;

  /** Parquet's number of an encoding: values as they are. */
  static final int PLAIN = 0;

  /** Parquet's number of an encoding: runs of bits. */
  static final int RLE = 3;

  /** Parquet's number of the compression. */
  static final int ZSTD = 6;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final String name;
  private final ParquetType type;
  private final boolean required;
  private final byte[] present = new byte[PAGE_ROWS_MAX / 8];
  private final ThriftWriter pageHead = new ThriftWriter();
  private byte[] page = new byte[HEAD + 8192];
  private int pageEnd = HEAD;
  private int rows;
  private int values;
  private byte[] chunk = new byte[8192];
  private int chunkSize;
  private long chunkPlainBytes;
  private long chunkRows;
  private long chunkAbsent;
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;
  private @Nullable TextBounds textBounds;

  /**
   * A column without values.
   *
   * @param required whether every row has a value
   */
  public ParquetColumn(String name, ParquetType type, boolean required) {
    this.name = name;
    this.type = type;
    this.required = required;
  }

  /**
   * Makes a column of texts state the least and the greatest of each row group, as columns of
   * numbers and times always do: readers skip row groups by them.
   */
  public void boundTexts() {
    textBounds = new TextBounds(BOUND_BYTES_MAX);
  }

  /** The column's name. */
  public String name() {
    return name;
  }

  /** Sets the present row's value. */
  public void number(long value) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    room(8);
    LONG.set(page, pageEnd, value);
    pageEnd += 8;
    present();
  }

  /** Sets the present row's value. */
  public void decimal(double value) {
    room(8);
    LONG.set(page, pageEnd, Double.doubleToRawLongBits(value));
    pageEnd += 8;
    present();
  }

  /** Sets the present row's value. */
  public void text(byte[] utf8, int offset, int length) {
    room(4 + length);
    INT.set(page, pageEnd, length);
    System.arraycopy(utf8, offset, page, pageEnd + 4, length);
    pageEnd += 4 + length;
    if (textBounds != null) {
      textBounds.add(utf8, offset, length);
    }
    present();
  }

  /** Sets the present row's value. */
  public void flag(boolean value) {
    if ((values & 7) == 0) {
      room(1);
      page[pageEnd++] = 0;
    }
    page[pageEnd - 1] |= (byte) ((value ? 1 : 0) << (values & 7));
    present();
  }

  private void present() {
    present[rows >> 3] |= (byte) (1 << (rows & 7));
    rows++;
    values++;
  }

  /** Ends the row; if no value was set, it has none. */
  void endRow(int rowsOfPage) {
    if (rows == rowsOfPage) {
      return;
    }
    if (required || rows != rowsOfPage - 1) {
      throw new IllegalStateException(name + ": " + rows + " values in " + rowsOfPage + " rows");
    }
    rows++;
  }

  /** The bytes of this page's values. */
  int pageBytes() {
    return pageEnd - HEAD;
  }

  /** The compressed bytes of the present row group. */
  int chunkBytes() {
    return chunkSize;
  }

  /**
   * Compresses the page.
   *
   * @param scratch a buffer for the compressed bytes
   * @return the buffer, or a larger one that replaces it
   */
  byte[] endPage(ZstdCompressCtx zstd, byte[] scratch) {
    int start = required ? HEAD : levels();
    int plainBytes = pageEnd - start;
    byte[] packed = scratch;
    int packedMax = (int) Zstd.compressBound(plainBytes);
    if (packed.length < packedMax) {
      packed = new byte[packedMax];
    }
    int packedBytes = zstd.compressByteArray(packed, 0, packed.length, page, start, plainBytes);
    pageHead.clear();
    pageHead.number(1, 0).number(2, plainBytes).number(3, packedBytes);
    pageHead.struct(5).number(1, rows).number(2, PLAIN).number(3, RLE).number(4, RLE).end().end();
    gather(pageHead.bytes(), pageHead.size());
    gather(packed, packedBytes);
    chunkPlainBytes += pageHead.size() + plainBytes;
    chunkRows += rows;
    chunkAbsent += rows - values;
    Arrays.fill(present, (byte) 0);
    pageEnd = HEAD;
    rows = 0;
    values = 0;
    return packed;
  }

  /** Writes the presence bits right before the values; returns where they start. */
  private int levels() {
    boolean same = values == rows || values == 0;
    int groups = (rows + 7) >> 3;
    int run = same ? rows << 1 : groups << 1 | 1;
    int runBytes = run < 1 << 7 ? 1 : run < 1 << 14 ? 2 : 3;
    int bodyBytes = runBytes + (same ? 1 : groups);
    int start = HEAD - 4 - bodyBytes;
    INT.set(page, start, bodyBytes);
    int p = start + 4;
    for (int i = 0; i < runBytes; i++) {
      page[p++] = (byte) (((run >>> (7 * i)) & 0x7f) | (i < runBytes - 1 ? 0x80 : 0));
    }
    if (same) {
      page[p] = (byte) (values == 0 ? 0 : 1);
    } else {
      System.arraycopy(present, 0, page, p, groups);
    }
    return start;
  }

  private void gather(byte[] source, int length) {
    if (chunkSize + length > chunk.length) {
      chunk = Arrays.copyOf(chunk, Math.max(chunkSize + length, 2 * chunk.length));
    }
    System.arraycopy(source, 0, chunk, chunkSize, length);
    chunkSize += length;
  }

  /**
   * Writes the column's chunk to the file, describes it, and begins anew. Returns its uncompressed
   * bytes.
   */
  long endChunk(FileOutput out, ThriftWriter footer) throws IOException {
    long offset = out.position();
    out.write(chunk, 0, chunkSize);
    footer.struct().number(2, offset).struct(3);
    footer.number(1, type.physical());
    footer.list(2, ThriftWriter.I32, 2).element(PLAIN).element(RLE);
    footer.list(3, ThriftWriter.BINARY, 1).element(name);
    footer.number(4, ZSTD).number(5, chunkRows);
    footer.number(6, chunkPlainBytes).number(7, (long) chunkSize).number(9, offset);
    footer.struct(12).number(3, chunkAbsent);
    if ((type == ParquetType.NUMBER || type == ParquetType.TIME) && chunkAbsent < chunkRows) {
      footer.eightBytes(5, max).eightBytes(6, min);
    }
    if (textBounds != null && textBounds.areKnown()) {
      footer.bytes(5, textBounds.max()).bytes(6, textBounds.min());
    }
    footer.end().end().end();
    long plainBytes = chunkPlainBytes;
    chunkSize = 0;
    chunkPlainBytes = 0;
    chunkRows = 0;
    chunkAbsent = 0;
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
    if (textBounds != null) {
      textBounds.clear();
    }
    return plainBytes;
  }

  /** Describes the column as an element of the file's schema. */
  void describe(ThriftWriter schema) {
    schema.struct().number(1, type.physical()).number(3, required ? 0 : 1).text(4, name);
    if (type == ParquetType.TEXT) {
      schema.number(6, 0).struct(10).struct(1).end().end();
    } else if (type == ParquetType.TIME) {
      schema.number(6, 9).struct(10).struct(8);
      schema.flag(1, true).struct(2).struct(1).end().end().end().end();
    }
    schema.end();
  }

  private void room(int length) {
    if (pageEnd + length > page.length) {
      page = Arrays.copyOf(page, Math.max(pageEnd + length, 2 * page.length));
    }
  }
}
