package gilmok.parquet;

import com.github.luben.zstd.ZstdDecompressCtx;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Reads Parquet files of {@link ParquetWriter}: row group by row group, page by page, only the
 * columns that are asked for.
 *
 * <pre>
 *   var riderId = new ParquetValues("rider_id", ParquetType.TEXT);
 *   try (ParquetReader reader = ParquetReader.open(disk, path)) {
 *     for (int group = 0; group &lt; reader.footer().groups(); group++) {
 *       reader.begin(group, riderId);
 *       while (reader.nextPage()) {
 *         for (int row = 0; row &lt; riderId.rows(); row++) { … }
 *       }
 *     }
 *   }
 * </pre>
 *
 * <p>It takes the memory of one page of each column that is read. Values are of one reader at a
 * time. Not thread-safe.
 */
public final class ParquetReader implements AutoCloseable {
  /** The most bytes of a footer. */
  private static final int FOOTER_BYTES_MAX = 64 << 20;

  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final int TAIL_BYTES = 8;
  private static final ParquetValues[] NONE = {};

  private final Path path;
  private final Disk.File file;
  private final ParquetFooter footer;
  private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
  private ParquetValues[] values = NONE;
  private int[] columns = {};
  private int rowsLeft;

  private ParquetReader(Path path, Disk.File file, ParquetFooter footer) {
    this.path = path;
    this.file = file;
    this.footer = footer;
  }

  /**
   * Opens a file and reads its footer.
   *
   * @throws DamagedParquetException when the file is damaged, or none of {@link ParquetWriter}'s
   */
  public static ParquetReader open(Disk disk, Path path) throws IOException {
    Disk.File file = disk.openForReading(path);
    try {
      return new ParquetReader(path, file, footer(file));
    } catch (DamagedParquetException damaged) {
      file.close();
      throw new DamagedParquetException(path, damaged);
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  /** Opens a file whose footer was read before. */
  public static ParquetReader open(Disk disk, Path path, ParquetFooter footer) throws IOException {
    return new ParquetReader(path, disk.openForReading(path), footer);
  }

  private static ParquetFooter footer(Disk.File file) throws IOException {
    long size = file.size();
    if (size < MAGIC.length + TAIL_BYTES) {
      throw new DamagedParquetException("too short for a Parquet file");
    }
    byte[] head = read(file, 0, MAGIC.length);
    byte[] tail = read(file, size - TAIL_BYTES, TAIL_BYTES);
    int length = ByteBuffer.wrap(Arrays.copyOf(tail, 4)).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (!Arrays.equals(head, MAGIC) || !Arrays.equals(tail, 4, TAIL_BYTES, MAGIC, 0, 4)) {
      throw new DamagedParquetException("not a Parquet file, or not complete");
    }
    long start = size - TAIL_BYTES - length;
    if (length <= 0 || length > FOOTER_BYTES_MAX || start < MAGIC.length) {
      throw new DamagedParquetException("a footer of " + length + " bytes");
    }
    return new FooterParser(start).parse(read(file, start, length));
  }

  private static byte[] read(Disk.File file, long position, int length) throws IOException {
    ByteBuffer bytes = file.read(position, length);
    if (bytes.remaining() != length) {
      throw new DamagedParquetException("the file was cut while it was read");
    }
    byte[] all = new byte[length];
    bytes.get(all);
    return all;
  }

  /** The file's footer. */
  public ParquetFooter footer() {
    return footer;
  }

  /**
   * Begins to read columns of a row group; {@link #nextPage} then fills them. A column that the
   * file does not have has no values.
   */
  public void begin(int group, ParquetValues... asked) throws IOException {
    columns = new int[asked.length];
    for (int i = 0; i < asked.length; i++) {
      int column = footer.column(asked[i].column());
      if (column >= 0 && footer.columns().get(column).type() != asked[i].type()) {
        throw new DamagedParquetException(
            path,
            new DamagedParquetException(asked[i].column() + " is not of type " + asked[i].type()));
      }
      columns[i] = column;
      if (column >= 0) {
        asked[i].chunk().begin(footer.offset(group, column), footer.size(group, column));
      }
    }
    values = asked.clone();
    rowsLeft = footer.rows(group);
  }

  /**
   * Reads the next rows of the row group into the values; false at its end.
   *
   * @throws DamagedParquetException when they are damaged; what the values then have is not to be
   *     used
   */
  public boolean nextPage() throws IOException {
    return nextPage(_ -> true);
  }

  /**
   * The same, but only of pages that are wanted: of others, nothing but the first column is
   * decompressed.
   *
   * @param isWanted says it by the first column of a page; not asked when the file does not have it
   */
  public boolean nextPage(Predicate<ParquetValues> isWanted) throws IOException {
    try {
      while (rowsLeft > 0) {
        if (readPage(isWanted)) {
          return true;
        }
      }
      return false;
    } catch (DamagedParquetException damaged) {
      throw new DamagedParquetException(path, damaged);
    }
  }

  private boolean readPage(Predicate<ParquetValues> isWanted) throws IOException {
    boolean isRead = true;
    int rows = 0;
    for (int i = 0; i < values.length; i++) {
      if (columns[i] >= 0) {
        int own = values[i].chunk().next(file, values[i].column(), rowsLeft);
        if (rows != 0 && own != rows) {
          throw new DamagedParquetException("pages that do not end at the same rows");
        }
        rows = own;
        if (isRead) {
          boolean isRequired = footer.columns().get(columns[i]).isRequired();
          values[i].read(file, zstd, isRequired);
          isRead = i > 0 || isWanted.test(values[i]);
        } else {
          values[i].chunk().skip();
        }
      }
    }
    rows = rows == 0 ? Math.min(rowsLeft, ParquetColumn.PAGE_ROWS_MAX) : rows;
    rowsLeft -= rows;
    for (int i = 0; i < values.length; i++) {
      if (columns[i] < 0) {
        values[i].absent(rows);
      } else if (values[i].chunk().isAtEnd() != (rowsLeft == 0)) {
        throw new DamagedParquetException("a chunk that does not end with its rows");
      }
    }
    return isRead;
  }

  @Override
  public void close() throws IOException {
    zstd.close();
    file.close();
  }
}
