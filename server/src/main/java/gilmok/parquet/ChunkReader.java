package gilmok.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the pages of a column's chunk, one after the other, through a window on the file.
 *
 * <p>Not thread-safe: owned by its reader.
 */
final class ChunkReader {
  /** The most bytes of a page before compression: a few MiB and one record of any size. */
  static final int PAGE_BYTES_MAX = 64 << 20;

  /** The least that is read at once; a page's header is within the first of it. */
  private static final int READ_BYTES = 64 << 10;

  private static final int HEADER_BYTES_MAX = 128;

  private final ThriftReader thrift = new ThriftReader();
  private byte[] window = {};
  private int from;
  private int to;

  /** What of the chunk is not in the window yet. */
  private long filePosition;

  private long fileEnd;

  // Of the present page's header.
  private int plainBytes;
  private int packedBytes;
  private int rows;

  /** Begins with the first page of a chunk. */
  void begin(long offset, long size) {
    from = 0;
    to = 0;
    filePosition = offset;
    fileEnd = offset + size;
  }

  /** Whether all pages were read. */
  boolean isAtEnd() {
    return from == to && filePosition == fileEnd;
  }

  /**
   * Reads the next page's header; {@link #load} or {@link #skip} comes next.
   *
   * @param column named where it is damaged
   * @param rowsLeft at most so many rows it can have
   * @return how many it has
   */
  int next(Disk.File file, String column, int rowsLeft) throws IOException {
    load(file, HEADER_BYTES_MAX);
    thrift.wrap(window, from, Math.min(to, from + HEADER_BYTES_MAX));
    header();
    from = thrift.position();
    long left = to - from + fileEnd - filePosition;
    boolean fits =
        rows > 0
            && rows <= rowsLeft
            && packedBytes > 0
            && packedBytes <= left
            && plainBytes >= 0
            && plainBytes <= PAGE_BYTES_MAX;
    if (!fits) {
      throw new DamagedParquetException(
          "a page of " + column + " of " + rows + " rows, " + packedBytes + " bytes");
    }
    return rows;
  }

  /** Leaves the page out. */
  void skip() {
    int loaded = Math.min(packedBytes, to - from);
    from += loaded;
    filePosition += packedBytes - loaded;
  }

  /** Reads the page as it is compressed; {@link #decompress} comes next. Returns its plain size. */
  int load(Disk.File file, String column) throws IOException {
    load(file, packedBytes);
    // zstd's own statement first: damage to ours must not make room for what is not there.
    if (Zstd.getFrameContentSize(window, from, packedBytes) != plainBytes) {
      throw new DamagedParquetException("a page of " + column + " has another size");
    }
    return plainBytes;
  }

  /** Decompresses the page into an array that has room for it. Returns how many rows it has. */
  int decompress(ZstdDecompressCtx zstd, byte[] page, String column)
      throws DamagedParquetException {
    try {
      int done = zstd.decompressByteArray(page, 0, plainBytes, window, from, packedBytes);
      if (done != plainBytes) {
        throw new DamagedParquetException("a page of " + column + " is cut");
      }
    } catch (ZstdException damaged) {
      throw new DamagedParquetException("a page of " + column + ": " + damaged.getMessage());
    }
    from += packedBytes;
    return rows;
  }

  private void header() throws DamagedParquetException {
    int kind = -1;
    boolean hasData = false;
    plainBytes = -1;
    packedBytes = -1;
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> kind = thrift.number();
        case 2 -> plainBytes = thrift.number();
        case 3 -> packedBytes = thrift.number();
        case 5 -> {
          thrift.struct();
          data();
          hasData = true;
        }
        default -> thrift.skip();
      }
    }
    if (kind != 0 || !hasData) {
      throw new DamagedParquetException("a page that is none of ours");
    }
  }

  private void data() throws DamagedParquetException {
    int encoding = -1;
    int levels = -1;
    rows = -1;
    for (int field = thrift.field(); field != 0; field = thrift.field()) {
      switch (field) {
        case 1 -> rows = thrift.number();
        case 2 -> encoding = thrift.number();
        case 3 -> levels = thrift.number();
        default -> thrift.skip();
      }
    }
    if (encoding != ParquetColumn.PLAIN || levels != ParquetColumn.RLE) {
      throw new DamagedParquetException("a page in encoding " + encoding + ", not plain");
    }
  }

  /** Has at least that many bytes of the chunk in the window, or all that are left. */
  private void load(Disk.File file, int bytes) throws IOException {
    int missing = (int) Math.min(bytes - (to - from), fileEnd - filePosition);
    if (missing <= 0) {
      return;
    }
    int read = (int) Math.min(Math.max(missing, READ_BYTES), fileEnd - filePosition);
    int kept = to - from;
    if (kept + read > window.length) {
      byte[] larger = new byte[Math.max(kept + read, window.length)];
      System.arraycopy(window, from, larger, 0, kept);
      window = larger;
    } else {
      System.arraycopy(window, from, window, 0, kept);
    }
    from = 0;
    to = kept;
    ByteBuffer target = ByteBuffer.wrap(window, kept, read);
    while (target.hasRemaining()) {
      int got = file.read(target, filePosition);
      if (got < 0) {
        throw new DamagedParquetException("the file was cut while it was read");
      }
      filePosition += got;
    }
    to = kept + read;
  }
}
