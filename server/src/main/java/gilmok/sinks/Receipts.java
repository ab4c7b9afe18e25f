package gilmok.sinks;

import gilmok.storage.Disk;
import gilmok.storage.NewerFormatException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of one sink, in files of about a megabyte below {@code receipts/<sink>/}. A file's
 * name is its running number. One process writes it from start to end; later it is only read. It is
 * deleted when its newest receipt is older than receipts are kept, or when all files together
 * exceed their limit, the oldest first.
 *
 * <table>
 * <caption>A file; numbers are big-endian</caption>
 * <tr><th>bytes</th><th>what</th></tr>
 * <tr><td>8</td><td>{@code gilmokR1}</td></tr>
 * <tr><td>4, 4, n; many times</td><td>a frame: its length n, the CRC32C of its bytes, its bytes,
 *     which are {@link ReceiptFrame}'s</td></tr>
 * <tr><td>36</td><td>only in a file that was ended in order: {@code gilmokRE}, the lowest and the
 *     highest sequence, when its newest receipt was settled, and the CRC32C of these 32</td></tr>
 * </table>
 *
 * <p>Bytes after the last sound frame were torn by a crash and are not read. A frame holds the
 * receipts written between two {@link #force}s. After a failed force, the same receipts are written
 * to another file.
 *
 * <p>Size, in bytes for each record, with a force after 100 batches: 0.02 for full batches of 300
 * with one place (a file), 0.15 with a place of its own for each (a request's id); 5.3 for batches
 * of one record at the same place.
 *
 * <p>Thread-safe: one thread writes while others search.
 */
public final class Receipts implements ReceiptBook, AutoCloseable {
  private static final Logger LOG = System.getLogger("gilmok.sinks");
  private static final long END = 0x67696c6d6f6b5245L;
  private static final int END_BYTES = 36;
  private static final int FILE_BYTES = 1 << 20;
  private static final int FRAME_BYTES_MAX = 1 << 20;
  private static final int FILES_MIN = 8;
  private static final Duration DAY = Duration.ofDays(1);
  private static final String SUFFIX = ".receipts";
  private static final int DIGITS = 20;

  private final Disk disk;
  private final Path folder;
  private final Duration keep;
  private final long bytesMax;
  private final long fileBytes;
  private final InstantSource clock;
  private final ReceiptFrame noted = new ReceiptFrame();
  private final CRC32C crc = new CRC32C();
  private List<Kept> kept = new ArrayList<>();
  private @Nullable Open open;
  private long number;

  /** A finished file; {@code end} is where its sound frames end. */
  private record Kept(Path path, long bytes, long end, long min, long max, long lastMillis) {
    boolean mayHave(long sequence) {
      return sequence >= min && sequence <= max;
    }
  }

  /** The file being written; everything before {@code end} is on disk. */
  private record Open(Path path, Disk.File file, long sinceMillis, Kept written) {}

  /**
   * Opens the receipts of a sink, with those of earlier processes, and deletes old ones.
   *
   * @param folder the sink's own folder; made when it is missing
   * @param keep how long receipts are kept
   * @param bytesMax the most bytes of all files together
   */
  public static Receipts open(
      Disk disk, Path folder, Duration keep, long bytesMax, InstantSource clock)
      throws IOException {
    return new Receipts(disk, folder, keep, bytesMax, FILE_BYTES, clock);
  }

  Receipts(
      Disk disk, Path folder, Duration keep, long bytesMax, long fileBytes, InstantSource clock)
      throws IOException {
    this.disk = disk;
    this.folder = folder;
    this.keep = keep;
    this.bytesMax = bytesMax;
    this.fileBytes = Math.min(fileBytes, bytesMax / FILES_MIN);
    this.clock = clock;
    disk.createFolder(folder);
    List<String> names = new ArrayList<>(disk.list(folder));
    names.removeIf(name -> !name.matches("\\d{" + DIGITS + "}\\" + SUFFIX));
    names.sort(null);
    for (String name : names) {
      kept.add(look(folder.resolve(name)));
      number = Long.parseLong(name.substring(0, DIGITS));
    }
    clean();
  }

  /**
   * Adds a receipt. When a megabyte was added since the last force, forces first.
   *
   * @throws IOException when that force fails; the receipt is then not added
   */
  @Override
  public synchronized void write(Receipt receipt) throws IOException {
    if (noted.size >= FRAME_BYTES_MAX) {
      force();
    }
    noted.add(receipt);
  }

  @Override
  public synchronized void force() throws IOException {
    if (open != null && isStale(open)) {
      end();
    }
    if (noted.size > 0) {
      Open to = open == null ? create() : open;
      try {
        open = append(to);
      } catch (IOException failed) {
        // What a failed force leaves behind is unknown, so this file is not written to again.
        abandon();
        throw failed;
      }
      noted.clear();
    }
    Open now = open;
    if (now != null && now.written.end >= fileBytes) {
      end();
    }
    clean();
  }

  /**
   * The newest receipt of a record; null when there is none, or it is no longer kept. Reads files,
   * so it may block.
   */
  public @Nullable Receipt find(long sequence) throws IOException {
    List<Kept> files;
    ReceiptReader reader = new ReceiptReader(sequence);
    synchronized (this) {
      reader.frame(noted.bytes, 0, noted.size);
      files = new ArrayList<>(kept);
      if (open != null) {
        files.add(open.written);
      }
    }
    long oldest = clock.millis() - keep.toMillis();
    for (int i = files.size() - 1; i >= 0 && reader.found == null; i--) {
      Kept file = files.get(i);
      if (file.mayHave(sequence) && file.lastMillis >= oldest) {
        read(file, reader);
      }
    }
    // A receipt that is not in a file yet may be too old as well.
    Receipt found = reader.found;
    return found == null || found.settledAtMillis() < oldest ? null : found;
  }

  /** The bytes of all files. */
  public synchronized long bytes() {
    return kept.stream().mapToLong(Kept::bytes).sum() + (open == null ? 0 : open.written.bytes);
  }

  /** The limit of {@link #bytes}, exceeded by at most one file. */
  public long bytesMax() {
    return bytesMax;
  }

  /** Makes the added receipts durable and ends the file in order. */
  @Override
  public synchronized void close() throws IOException {
    force();
    end();
  }

  private void read(Kept file, ReceiptReader reader) throws IOException {
    try (Disk.File opened = disk.openForReading(file.path)) {
      reader.read(opened, file.end);
    } catch (NoSuchFileException deleted) {
      // The file was deleted meanwhile, as it was old.
    }
  }

  private Open create() throws IOException {
    number++;
    Path path = folder.resolve(("%0" + DIGITS + "d" + SUFFIX).formatted(number));
    Disk.File file = disk.create(path);
    try {
      ByteBuffer head =
          ByteBuffer.allocate(ReceiptReader.MAGIC_BYTES).putLong(ReceiptReader.MAGIC).flip();
      file.write(head, 0);
      disk.forceFolder(folder);
    } catch (IOException failed) {
      kept.add(new Kept(path, ReceiptReader.MAGIC_BYTES, 0, Long.MAX_VALUE, Long.MIN_VALUE, 0));
      file.close();
      throw failed;
    }
    Kept empty =
        new Kept(
            path,
            ReceiptReader.MAGIC_BYTES,
            ReceiptReader.MAGIC_BYTES,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            0);
    open = new Open(path, file, clock.millis(), empty);
    return open;
  }

  /** Writes the added receipts as one frame, durably. */
  private Open append(Open to) throws IOException {
    Kept before = to.written;
    crc.reset();
    crc.update(noted.bytes, 0, noted.size);
    ByteBuffer frame = ByteBuffer.allocate(ReceiptReader.FRAME_HEAD_BYTES + noted.size);
    frame.putInt(noted.size).putInt((int) crc.getValue());
    frame.put(noted.bytes, 0, noted.size).flip();
    long end = before.end + frame.remaining();
    to.file.write(frame, before.end);
    to.file.force();
    Kept after =
        new Kept(
            to.path,
            end,
            end,
            Math.min(before.min, noted.min),
            Math.max(before.max, noted.max),
            Math.max(before.lastMillis, noted.millis));
    return new Open(to.path, to.file, to.sinceMillis, after);
  }

  private boolean isStale(Open file) {
    Duration span = keep.dividedBy(FILES_MIN).compareTo(DAY) < 0 ? keep.dividedBy(FILES_MIN) : DAY;
    return clock.millis() - file.sinceMillis >= span.toMillis();
  }

  /** Ends the open file in order; without this end, the next start reads the whole file. */
  private void end() {
    Open ended = open;
    if (ended == null) {
      return;
    }
    Kept now = ended.written;
    try {
      ByteBuffer end = ByteBuffer.allocate(END_BYTES);
      end.putLong(END).putLong(now.min).putLong(now.max).putLong(now.lastMillis);
      end.putInt(checksum(end)).flip();
      ended.file.write(end, now.end);
      ended.file.force();
    } catch (IOException failed) {
      LOG.log(
          Level.DEBUG,
          "a file of receipts was closed without its summary; the next start reads all" + " of it",
          failed);
    }
    abandon();
  }

  private void abandon() {
    Open done = open;
    open = null;
    if (done == null) {
      return;
    }
    kept.add(done.written);
    try {
      done.file.close();
    } catch (IOException failed) {
      LOG.log(Level.DEBUG, "a file of receipts could not be closed", failed);
    }
  }

  /** Opens a file of an earlier process: reads its end, or all of it if a crash left no end. */
  private Kept look(Path path) throws IOException {
    try (Disk.File file = disk.openForReading(path)) {
      long size = file.size();
      refuseNewer(file, path);
      ByteBuffer end = file.read(Math.max(0, size - END_BYTES), END_BYTES);
      if (end.limit() == END_BYTES && end.getLong(0) == END && end.getInt(32) == checksum(end)) {
        return new Kept(
            path, size, size - END_BYTES, end.getLong(8), end.getLong(16), end.getLong(24));
      }
      ReceiptReader reader = new ReceiptReader(0);
      long sound = reader.read(file, size);
      return new Kept(path, size, sound, reader.min, reader.max, reader.lastMillis);
    }
  }

  /** Refuses a file of a newer format: its receipts would be taken for never written. */
  private static void refuseNewer(Disk.File file, Path path) throws IOException {
    ByteBuffer head = file.read(0, ReceiptReader.MAGIC_BYTES);
    long newer = head.limit() < ReceiptReader.MAGIC_BYTES ? 0 : head.getLong(0);
    newer -= ReceiptReader.MAGIC;
    if (newer > 0 && newer <= '9' - '1') {
      throw new NewerFormatException(path, ReceiptReader.FORMAT + newer, ReceiptReader.FORMAT);
    }
  }

  private int checksum(ByteBuffer end) {
    crc.reset();
    crc.update(end.duplicate().limit(END_BYTES - 4).position(0));
    return (int) crc.getValue();
  }

  /**
   * Deletes files that are older than receipts are kept, and the oldest of those over the limit.
   */
  private void clean() {
    long oldest = clock.millis() - keep.toMillis();
    long bytes = bytes();
    List<Kept> left = new ArrayList<>();
    for (Kept file : kept) {
      boolean isOver = file.lastMillis < oldest || bytes > bytesMax;
      if (isOver && isDeleted(file.path)) {
        bytes -= file.bytes;
      } else {
        left.add(file);
      }
    }
    kept = left;
  }

  /**
   * Deletes a file. False when it cannot be deleted now: it is tried again, and nothing waits for
   * it.
   */
  private boolean isDeleted(Path path) {
    try {
      disk.delete(path);
      return true;
    } catch (NoSuchFileException gone) {
      return true;
    } catch (IOException failed) {
      LOG.log(Level.DEBUG, "a file of receipts could not be deleted; it is retried later", failed);
      return false;
    }
  }
}
