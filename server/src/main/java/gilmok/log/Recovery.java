package gilmok.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the last segment's good batches end, and cuts what a crash left torn behind them, a
 * copy being kept. What was known durable is never cut: if it is damaged, opening fails.
 */
final class Recovery {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  private final Disk disk;
  private final Path torn;
  private final CRC32C crc = new CRC32C();

  Recovery(Disk disk, Path torn) {
    this.disk = disk;
    this.torn = torn;
  }

  /**
   * The segment to go on writing in, and where.
   *
   * @param marked its last batch is a footer
   * @param counts the records in it
   * @param all the records since the log was begun; null when no footer in this segment says so
   */
  record Active(
      Disk.File file,
      SegmentFormat.Header header,
      long position,
      long firstSequence,
      long nextSequence,
      long size,
      boolean marked,
      Counts counts,
      @Nullable Counts all) {}

  /**
   * Opens the last segment for writing; everything before the position is durable on return.
   *
   * @param known a sequence of which others (cursors, the snapshot of repeats) know that it was
   *     durable
   */
  Active open(Segments.Segment last, long known) throws IOException {
    Disk.File file = disk.open(last.path());
    try {
      ByteBuffer all = readAll(file);
      SegmentFormat.Header header = SegmentFormat.read(all, last.path());
      int end = SegmentFormat.HEADER_BYTES;
      long next = last.firstSequence();
      boolean marked = false;
      Counts counts = new Counts();
      Counts since = null;
      while (isBatch(all, end, header.epoch(), crc)) {
        if (all.getLong(end + BatchFormat.FIRST_SEQUENCE_AT) != next) {
          throw new DamagedLogException(
              last.path(), end, "a batch out of sequence, " + next + " was expected");
        }
        int batchEnd = end + all.getInt(end + BatchFormat.LENGTH_AT);
        int records = all.getInt(end + BatchFormat.COUNT_AT);
        Counts footer = records == 0 ? Footer.counts(all, end, batchEnd) : null;
        marked = footer != null;
        if (footer != null) {
          since = footer;
        } else if (records > 0) {
          Counts batch = count(all, end, batchEnd, records, last.path());
          counts.add(batch);
          if (since != null) {
            since.add(batch);
          }
        }
        next += records;
        end = batchEnd;
      }
      if (next <= known || isDurableBehind(all, end, next, header.epoch(), crc)) {
        throw new DamagedLogException(
            last.path(), end, "sequence " + next + " was durable and cannot be read");
      }
      cut(file, all, end, last);
      // The batches may be in the page cache only, when it was the process that died.
      file.force();
      return new Active(
          file, header, end, last.firstSequence(), next, all.limit(), marked, counts, since);
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  private static Counts count(ByteBuffer all, int batch, int batchEnd, int records, Path path)
      throws DamagedLogException {
    Counts counts = new Counts();
    int at = batch + BatchFormat.HEADER_BYTES;
    for (int i = 0; i < records; i++) {
      int frame = at + Draft.FRAME_BYTES <= batchEnd ? all.getInt(at) : 0;
      at += Draft.FRAME_BYTES + (frame & Draft.RECORD_BYTES_MAX);
      if (!Stream.isKnown(frame >>> 24) || at > batchEnd) {
        throw new DamagedLogException(
            path, batch, "a record without a known stream or longer than its batch");
      }
      counts.add(Stream.of(frame >>> 24));
    }
    return counts;
  }

  private static boolean isBatch(ByteBuffer all, int at, long epoch, CRC32C crc) {
    if (at + BatchFormat.HEADER_BYTES > all.limit()
        || all.getLong(at + BatchFormat.EPOCH_AT) != epoch) {
      return false;
    }
    int length = all.getInt(at + BatchFormat.LENGTH_AT);
    return length >= BatchFormat.HEADER_BYTES
        && length <= all.limit() - at
        && BatchFormat.checksum(all, at, length, crc) == all.getInt(at + BatchFormat.CRC_AT);
  }

  /** A later batch that knew the damaged place to be durable proves that this is no torn tail. */
  static boolean isDurableBehind(ByteBuffer all, int end, long next, long epoch, CRC32C crc) {
    for (int at = end + 1; at <= all.limit() - BatchFormat.HEADER_BYTES; at++) {
      if (all.getLong(at + BatchFormat.EPOCH_AT) == epoch
          && isBatch(all, at, epoch, crc)
          && all.getLong(at + BatchFormat.DURABLE_THROUGH_AT) >= next) {
        return true;
      }
    }
    return false;
  }

  private void cut(Disk.File file, ByteBuffer all, int end, Segments.Segment last)
      throws IOException {
    int dirtyEnd = all.limit();
    while (dirtyEnd > end && all.get(dirtyEnd - 1) == 0) {
      dirtyEnd--;
    }
    if (dirtyEnd == end) {
      return;
    }
    disk.createFolder(torn);
    List<String> copies = disk.list(torn);
    int number = 1;
    while (copies.contains(copyName(last, end, number))) {
      number++;
    }
    Path copy = torn.resolve(copyName(last, end, number));
    try (Disk.File kept = disk.create(copy)) {
      kept.write(all.duplicate().position(end).limit(dirtyEnd), 0);
      kept.force();
    }
    disk.forceFolder(torn);
    file.write(ByteBuffer.allocate(dirtyEnd - end), end);
    LOGGER.log(
        Level.WARNING,
        "{0}: cut a torn tail of {1} bytes at offset {2}; nothing says that any of it was"
            + " acknowledged; kept as {3}",
        last.path(),
        dirtyEnd - end,
        end,
        copy);
  }

  private static String copyName(Segments.Segment last, int end, int number) {
    return "%s-%d-%04d.torn".formatted(last.path().getFileName(), end, number);
  }

  static ByteBuffer readAll(Disk.File file) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(file.size()));
    while (all.hasRemaining() && file.read(all, all.position()) >= 0) {
      // Until the end.
    }
    return all.flip();
  }
}
