package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of the last segment's sound batches, copies and cuts the torn tail that a crash
 * left behind them, and makes the rest durable anew. Batches that were known to be durable are
 * never cut: if one is damaged, opening fails.
 *
 * <p>All that is kept is written once more, byte for byte, before it is forced. The process before
 * may have ended because a force failed. Linux then marks the pages clean: they can be read here,
 * but another force writes none of them, and a power loss would take acknowledged records. Writing
 * makes the pages dirty again. (<a href="https://wiki.postgresql.org/wiki/Fsync_Errors">Fsync
 * errors</a>) Only the last segment can be in this state: the writer leaves a segment only after
 * its force has succeeded.
 */
record Recovery(Disk disk, Path torn) {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  /**
   * The segment in which to continue, and the position.
   *
   * @param marked whether its last batch is a footer
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
      StreamCounts counts,
      @Nullable StreamCounts all) {}

  /**
   * Opens the last segment for writing; everything before the position is durable on return.
   *
   * @param known a sequence that cursors or the deduplication snapshot show to have been durable
   */
  Active open(Segments.Segment last, long known) throws IOException {
    Disk.File file = disk.open(last.path());
    try {
      SegmentWindow bytes = new SegmentWindow(file);
      SegmentFormat.Header header =
          SegmentFormat.read(
              bytes.copy(0, (int) Math.min(SegmentFormat.HEADER_BYTES, bytes.size())), last.path());
      BatchScan scan = new BatchScan(bytes, header.epoch(), last.path());
      BatchScan.Found found = scan.readAll(last.firstSequence());
      if (found.next() <= known || scan.isDurableBehind(found.end(), found.next())) {
        throw new DamagedLogException(
            last.path(),
            found.end(),
            "sequence " + found.next() + " was durable and cannot be read");
      }
      cut(file, bytes, found.end(), last);
      copy(bytes, 0, found.end(), file);
      file.force();
      return new Active(
          file,
          header,
          found.end(),
          last.firstSequence(),
          found.next(),
          bytes.size(),
          found.marked(),
          found.counts(),
          found.all());
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  /** Copies the bytes between two positions to the beginning of a file. */
  private static void copy(SegmentWindow bytes, long from, long to, Disk.File target)
      throws IOException {
    long[] at = {0};
    bytes.each(
        from,
        to - from,
        piece -> {
          int length = piece.remaining();
          target.write(piece, at[0]);
          at[0] += length;
        });
  }

  private void cut(Disk.File file, SegmentWindow bytes, long end, Segments.Segment last)
      throws IOException {
    long dirtyEnd = bytes.endOfBytes(end);
    List<String> copies = copies(last);
    if (dirtyEnd > end) {
      Path copy = keep(bytes, end, dirtyEnd, last, copies);
      clear(file, end, dirtyEnd);
      LOGGER.log(
          Level.WARNING,
          "{0}: cut a torn tail of {1} bytes at offset {2}, as after a crash; there is no sign that"
              + " any of it was acknowledged; a copy is kept as {3}",
          last.path(),
          dirtyEnd - end,
          end,
          copy);
    } else if (!copies.isEmpty()) {
      // The zeros of an earlier cut may be visible and not on disk, as above.
      clear(file, end, bytes.size());
    }
  }

  /** The copies of torn tails that were cut from this segment before. */
  private List<String> copies(Segments.Segment last) throws IOException {
    try {
      String name = last.path().getFileName().toString();
      return disk.list(torn).stream().filter(copy -> copy.startsWith(name)).toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  private Path keep(
      SegmentWindow bytes, long end, long dirtyEnd, Segments.Segment last, List<String> copies)
      throws IOException {
    disk.createFolder(torn);
    int number = 1;
    while (copies.contains(copyName(last, end, number))) {
      number++;
    }
    Path copy = torn.resolve(copyName(last, end, number));
    try (Disk.File kept = disk.create(copy)) {
      copy(bytes, end, dirtyEnd, kept);
      kept.force();
    }
    disk.forceFolder(torn);
    return copy;
  }

  private static void clear(Disk.File file, long from, long to) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(SegmentWindow.BYTES, to - from));
    for (long at = from; at < to; at += zeros.capacity()) {
      file.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
    }
  }

  private static String copyName(Segments.Segment last, long end, int number) {
    return "%s-%d-%04d.torn".formatted(last.path().getFileName(), end, number);
  }
}
