package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongFunction;

/**
 * Finds the segment in which an opened log continues to write, or begins one.
 *
 * @param reserve the mark behind which sequences go on after a crash
 */
record LogOpener(
    Disk disk,
    Path folder,
    LogConfig config,
    NodeId node,
    Segments segments,
    SegmentPreallocator preallocator,
    SequenceReserve reserve) {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  /** Warns of foreign files beside the segments. They are neither read nor deleted. */
  void warnOfStrays() throws IOException {
    for (String name : disk.list(folder)) {
      if (!SegmentFormat.isSegment(name)) {
        LOGGER.log(
            Level.WARNING,
            "{0} is not a segment, by its name; it is ignored and not deleted",
            folder.resolve(name));
      }
    }
  }

  /**
   * Checks that each segment begins where the one before it ended, as far as there are footers. An
   * earlier version left some segments without.
   *
   * @throws DamagedLogException when a segment in between is missing
   */
  void checkChain() throws IOException {
    Segments.Segment one = segments.oldest();
    Segments.Segment next = one == null ? null : segments.after(one.firstSequence());
    while (one != null && next != null) {
      SegmentFooter.End end = SegmentFooter.end(disk, one);
      if (end != null && end.next() != next.lostFrom()) {
        throw new DamagedLogException(
            one.path(),
            one.bytes(),
            end.next() < next.lostFrom()
                ? "a segment behind it is missing: no file has the sequences %d to %d"
                    .formatted(end.next(), next.lostFrom() - 1)
                : "it ends before sequence %d, but %s is there, too"
                    .formatted(end.next(), next.path().getFileName()));
      }
      one = next;
      next = segments.after(one.firstSequence());
    }
  }

  /**
   * The newest segment, repaired, or a new one.
   *
   * @param known a sequence that is known from elsewhere to have been durable
   */
  Recovery.Active active(long known) throws IOException, InterruptedException {
    Segments.Segment last = segments.newest();
    if (last == null) {
      if (known > 0) {
        throw new DamagedLogException(folder, 0, "no segment, but sequence " + known + " was one");
      }
      long first = reserve.load(0) + 1;
      return start(first, first, false, new StreamCounts());
    }
    Recovery.Active found = new Recovery(disk, folder.resolve("torn")).open(last, known);
    long reserved = reserve.load(found.nextSequence() - 1);
    if (reserved >= found.nextSequence()) {
      return skip(found, reserved);
    }
    boolean empty = found.nextSequence() == last.firstSequence();
    // The header names the node that owns the records, so a node with a new id begins a new
    // segment.
    if (found.header().node().equals(node) && !(empty && found.size() < config.segmentBytes())) {
      return found;
    }
    found.file().close();
    // The range that a replaced segment's header names stays as it was.
    long lostFrom = empty ? last.lostFrom() : found.nextSequence();
    return start(found.nextSequence(), lostFrom, empty && last.isSkipped(), all(found));
  }

  /**
   * Goes on behind the sequences that readers may have seen, and whose records a power loss may
   * have taken. The present segment ends where its records end.
   */
  private Recovery.Active skip(Recovery.Active found, long reserved)
      throws IOException, InterruptedException {
    StreamCounts all = all(found);
    try (Disk.File ended = found.file()) {
      if (!found.marked() && found.size() - found.position() >= SegmentFooter.BYTES_MAX) {
        long epoch = found.header().epoch();
        long millis = found.header().createdAtMillis();
        ended.write(
            SegmentFooter.batch(all, epoch, found.nextSequence(), millis), found.position());
        ended.force();
      }
    }
    LOGGER.log(
        Level.INFO,
        "the log was not closed in order: sequences go on at {0}, as a sink may have seen later"
            + " ones than {1}; no record is lost by that",
        String.valueOf(reserved + 1),
        String.valueOf(found.nextSequence() - 1));
    return start(reserved + 1, found.nextSequence(), true, all);
  }

  /** How many records there are, by stream, since the log was begun. */
  StreamCounts all(Recovery.Active found) throws IOException {
    if (found.all() != null) {
      return found.all();
    }
    long last = found.nextSequence() - 1;
    LongFunction<LogReader> readers =
        from -> new LogReader(disk, folder, segments, () -> last, false, from);
    StreamCounts all = StreamCountIndex.beforeNewest(disk, segments, readers);
    all.add(found.counts());
    return all;
  }

  /** Begins a segment; it replaces an empty one of the same name. */
  private Recovery.Active start(
      long firstSequence, long lostFrom, boolean isSkipped, StreamCounts all)
      throws IOException, InterruptedException {
    SegmentPreallocator.Prepared first = preallocator.prepare(0);
    long position = SegmentFormat.HEADER_BYTES;
    if (lostFrom < firstSequence) {
      ByteBuffer header = SegmentFormat.headed(first.header(), lostFrom, isSkipped);
      position += markLost(first, firstSequence, header, all);
    }
    disk.rename(first.path(), segments.path(firstSequence));
    disk.forceFolder(folder);
    long size = first.file().size();
    segments.named(firstSequence, size, lostFrom, isSkipped);
    return new Recovery.Active(
        first.file(),
        first.header(),
        position,
        firstSequence,
        firstSequence,
        size,
        position > SegmentFormat.HEADER_BYTES,
        new StreamCounts(),
        all);
  }

  private static int markLost(
      SegmentPreallocator.Prepared prepared,
      long firstSequence,
      ByteBuffer header,
      StreamCounts all)
      throws IOException {
    prepared.file().write(header, 0);
    ByteBuffer footer =
        SegmentFooter.batch(
            all, prepared.header().epoch(), firstSequence, prepared.header().createdAtMillis());
    prepared.file().write(footer, SegmentFormat.HEADER_BYTES);
    prepared.file().force();
    return footer.limit();
  }
}
