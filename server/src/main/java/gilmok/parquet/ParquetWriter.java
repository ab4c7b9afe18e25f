package gilmok.parquet;

import com.github.luben.zstd.ZstdCompressCtx;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a Parquet file: rows of flat columns, in pages, in row groups, and a footer with their
 * positions. It uses only what every reader of the format knows (version 1 pages, plain values,
 * zstd). Each page has zstd's own checksum, the footer one of ours ({@link FooterChecksum}).
 *
 * <p>Set the values of a row in the columns, then call {@link #endRow}. At most one row group is in
 * memory. Not thread-safe.
 */
public final class ParquetWriter implements AutoCloseable {
  /** A page is compressed when all columns together have this many bytes. */
  private static final int PAGE_BYTES_MAX = 4 << 20;

  /** The most rows of a row group, unless the writer is told otherwise. */
  private static final int GROUP_ROWS_MAX = 6 * ParquetColumn.PAGE_ROWS_MAX;

  private static final long GROUP_BYTES_MAX = 32 << 20;
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** Pages have too little in common for a higher level to pay. */
  private static final int LEVEL = 1;

  private final FileOutput out;
  private final List<ParquetColumn> columns;
  private final int groupRowsMax;
  private final int pageRowsMax;
  private final ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(LEVEL).setChecksum(true);
  private final ThriftWriter groups = new ThriftWriter();
  private byte[] scratch = new byte[1 << 16];
  private int groupCount;
  private int pageRows;
  private int groupRows;
  private long rows;
  private long plainBytes;

  /** A file with row groups of the usual size. */
  public ParquetWriter(FileOutput out, List<ParquetColumn> columns) {
    this(out, columns, GROUP_ROWS_MAX, ParquetColumn.PAGE_ROWS_MAX);
  }

  /**
   * A file with at most so many rows in a row group, and in a page of it.
   *
   * @param pageRowsMax a reader who looks for few rows decompresses so many at once; at most 20,480
   */
  public ParquetWriter(
      FileOutput out, List<ParquetColumn> columns, int groupRowsMax, int pageRowsMax) {
    this.out = out;
    this.columns = columns;
    this.groupRowsMax = groupRowsMax;
    this.pageRowsMax = Math.min(pageRowsMax, ParquetColumn.PAGE_ROWS_MAX);
  }

  /** Ends the row whose values were set. */
  public void endRow() throws IOException {
    pageRows++;
    long bytes = 0;
    for (ParquetColumn column : columns) {
      column.endRow(pageRows);
      bytes += column.pageBytes();
    }
    boolean isLast = groupRows + pageRows >= groupRowsMax;
    if (isLast || pageRows == pageRowsMax || bytes >= PAGE_BYTES_MAX) {
      endPage();
      long groupBytes = columns.stream().mapToLong(ParquetColumn::chunkBytes).sum();
      if (isLast || groupBytes >= GROUP_BYTES_MAX) {
        endGroup();
      }
    }
  }

  /** The number of rows. */
  public long rows() {
    return rows + groupRows + pageRows;
  }

  /** The bytes of all values before compression. */
  public long plainBytes() {
    long bytes = plainBytes;
    for (ParquetColumn column : columns) {
      bytes += column.pageBytes();
    }
    return bytes;
  }

  private void endPage() {
    for (ParquetColumn column : columns) {
      plainBytes += column.pageBytes();
      scratch = column.endPage(zstd, scratch);
    }
    groupRows += pageRows;
    pageRows = 0;
  }

  private void begin() throws IOException {
    if (out.position() == 0) {
      out.write(MAGIC, 0, MAGIC.length);
    }
  }

  private void endGroup() throws IOException {
    begin();
    long offset = out.position();
    long bytes = 0;
    groups.struct().list(1, ThriftWriter.STRUCT, columns.size());
    for (ParquetColumn column : columns) {
      bytes += column.endChunk(out, groups);
    }
    groups.number(2, bytes).number(3, (long) groupRows).number(5, offset);
    groups.number(6, out.position() - offset).end();
    groupCount++;
    rows += groupRows;
    groupRows = 0;
  }

  /** Writes the last row group and the footer. */
  public void finish() throws IOException {
    begin();
    if (pageRows > 0) {
      endPage();
    }
    if (groupRows > 0) {
      endGroup();
    }
    ThriftWriter footer = new ThriftWriter();
    footer.number(1, 1).list(2, ThriftWriter.STRUCT, columns.size() + 1);
    footer.struct().text(4, "record").number(5, columns.size()).end();
    for (ParquetColumn column : columns) {
      column.describe(footer);
    }
    footer
        .number(3, rows)
        .list(4, ThriftWriter.STRUCT, groupCount)
        .raw(groups.bytes(), groups.size());
    FooterChecksum.reserve(footer);
    footer.text(6, "gilmok").list(7, ThriftWriter.STRUCT, columns.size());
    for (int i = 0; i < columns.size(); i++) {
      footer.struct().struct(1).end().end();
    }
    footer.end();
    int size = footer.size();
    FooterChecksum.set(footer.bytes(), size);
    out.write(footer.bytes(), 0, size);
    out.write(
        new byte[] {(byte) size, (byte) (size >> 8), (byte) (size >> 16), (byte) (size >> 24)});
    out.write(MAGIC, 0, MAGIC.length);
  }

  @Override
  public void close() {
    zstd.close();
  }
}
