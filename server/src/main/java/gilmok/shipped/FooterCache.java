package gilmok.shipped;

import gilmok.parquet.ParquetFooter;
import gilmok.parquet.ParquetReader;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The footers of files that were read last, up to a number of bytes. A file that has taken the name
 * of another is another file: it has another size, time or inode.
 *
 * <p>Thread-safe; the disk is read without the lock.
 */
final class FooterCache {
  private record Known(
      long size, long modifiedMillis, @Nullable Object fileKey, ParquetFooter footer) {
    boolean isOf(BasicFileAttributes file) {
      return size == file.size()
          && modifiedMillis == file.lastModifiedTime().toMillis()
          && (fileKey == null || fileKey.equals(file.fileKey()));
    }
  }

  private final Disk disk;
  private final long bytesMax;
  private final Map<Path, Known> footers = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long read;

  FooterCache(Disk disk, long bytesMax) {
    this.disk = disk;
    this.bytesMax = bytesMax;
  }

  /**
   * The footer of a file.
   *
   * @throws java.nio.file.NoSuchFileException when it is not there
   */
  ParquetFooter footer(Path path) throws IOException {
    var file = Files.readAttributes(path, BasicFileAttributes.class);
    synchronized (this) {
      Known known = footers.get(path);
      if (known != null && known.isOf(file)) {
        return known.footer;
      }
      read++;
    }
    try (ParquetReader reader = ParquetReader.open(disk, path)) {
      ParquetFooter footer = reader.footer();
      put(path, new Known(file.size(), file.lastModifiedTime().toMillis(), file.fileKey(), footer));
      return footer;
    }
  }

  private synchronized void put(Path path, Known known) {
    Known before = footers.put(path, known);
    bytes += known.footer.bytes() - (before == null ? 0 : before.footer.bytes());
    var oldest = footers.values().iterator();
    while (bytes > bytesMax && oldest.hasNext()) {
      bytes -= oldest.next().footer.bytes();
      oldest.remove();
    }
  }

  /** The bytes of the footers that are kept. */
  synchronized long bytes() {
    return bytes;
  }

  /** Their bound. */
  long bytesMax() {
    return bytesMax;
  }

  /** How many footers were read from files. */
  synchronized long read() {
    return read;
  }
}
