package gilmok.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongFunction;

/** Finds the segment that a log goes on writing in when it is opened, or begins one. */
final class Opening {
  private final Disk disk;
  private final Path folder;
  private final LogConfig config;
  private final NodeId node;
  private final Segments segments;
  private final Preparer preparer;

  Opening(
      Disk disk, Path folder, LogConfig config, NodeId node, Segments segments, Preparer preparer) {
    this.disk = disk;
    this.folder = folder;
    this.config = config;
    this.node = node;
    this.segments = segments;
    this.preparer = preparer;
  }

  /**
   * The newest segment, repaired, or a new one.
   *
   * @param known a sequence that others know to have been durable
   */
  Recovery.Active active(long known) throws IOException, InterruptedException {
    Segments.Segment last = segments.newest();
    if (last == null) {
      if (known > 0) {
        throw new DamagedLogException(folder, 0, "no segment, but sequence " + known + " was one");
      }
      return start(1, new Counts());
    }
    Recovery.Active found = new Recovery(disk, folder.resolve("torn")).open(last, known);
    boolean empty = found.nextSequence() == last.firstSequence();
    // The header says whose the records are: a node with a new id begins a segment of its own.
    if (found.header().node().equals(node) && !(empty && found.size() < config.segmentBytes())) {
      return found;
    }
    found.file().close();
    return start(found.nextSequence(), all(found));
  }

  /** How many records there are, by stream, since the log was begun. */
  Counts all(Recovery.Active found) throws IOException {
    if (found.all() != null) {
      return found.all();
    }
    long last = found.nextSequence() - 1;
    LongFunction<LogReader> readers =
        from -> new LogReader(disk, folder, segments, () -> last, false, from);
    Counts all = Accepted.beforeNewest(disk, segments, readers);
    all.add(found.counts());
    return all;
  }

  /** Begins a segment, in place of an empty one that may have the same name. */
  private Recovery.Active start(long firstSequence, Counts all)
      throws IOException, InterruptedException {
    Preparer.Prepared first = preparer.prepare();
    disk.rename(first.path(), segments.path(firstSequence));
    disk.forceFolder(folder);
    long size = first.file().size();
    segments.named(firstSequence, size);
    return new Recovery.Active(
        first.file(),
        first.header(),
        SegmentFormat.HEADER_BYTES,
        firstSequence,
        firstSequence,
        size,
        false,
        new Counts(),
        all);
  }
}
