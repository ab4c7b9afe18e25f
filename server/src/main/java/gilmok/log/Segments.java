package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The segments of a log, by their first sequence. Thread-safe. */
final class Segments {
  private final Path folder;
  private final ConcurrentNavigableMap<Long, Segment> byFirst = new ConcurrentSkipListMap<>();
  private final AtomicLong preparedBytes = new AtomicLong();
  private volatile long replacements;

  private Segments(Path folder) {
    this.folder = folder;
  }

  /**
   * A segment's file.
   *
   * @param lostFrom the first of the sequences before it that have no records; its own first if
   *     there are none
   * @param isSkipped whether these were skipped, and are not lost; see {@link LostRange}
   * @param version how often the file was replaced since the log was opened
   */
  record Segment(
      long firstSequence, Path path, long bytes, long lostFrom, boolean isSkipped, long version) {
    Segment(long firstSequence, Path path, long bytes, long lostFrom, boolean isSkipped) {
      this(firstSequence, path, bytes, lostFrom, isSkipped, 0);
    }

    /** The sequences before it without records; null if there are none. */
    @Nullable LostRange lost() {
      return lostFrom < firstSequence
          ? new LostRange(lostFrom, firstSequence - 1, isSkipped)
          : null;
    }
  }

  /** Lists the segments of a folder by their file names. */
  static Segments list(Disk disk, Path folder) throws IOException {
    Segments segments = new Segments(folder);
    for (String name : disk.list(folder)) {
      if (SegmentFormat.isSegment(name)) {
        Path path = folder.resolve(name);
        try (Disk.File file = disk.openForReading(path)) {
          long first = SegmentFormat.firstSequence(name);
          ByteBuffer header = file.read(0, SegmentFormat.HEADER_BYTES);
          SegmentFormat.refuseNewer(header, path);
          long lostFrom = SegmentFormat.lostFrom(header, first);
          boolean isSkipped = SegmentFormat.isSkipped(header, first);
          segments.add(new Segment(first, path, file.size(), lostFrom, isSkipped));
        } catch (NoSuchFileException deletedMeanwhile) {
          // Deleted by the server beside which this folder is read.
        }
      }
    }
    return segments;
  }

  Path path(long firstSequence) {
    return folder.resolve(SegmentFormat.fileName(firstSequence));
  }

  void add(Segment segment) {
    byFirst.put(segment.firstSequence(), segment);
  }

  /** Counts the bytes of a prepared segment, which has no name yet. */
  void prepared(long bytes) {
    preparedBytes.addAndGet(bytes);
  }

  /** A prepared segment got its name. */
  void named(long firstSequence, long bytes) {
    named(firstSequence, bytes, firstSequence, false);
  }

  /** A prepared segment got its name; {@code lostFrom} and so on as in {@link Segment}. */
  void named(long firstSequence, long bytes, long lostFrom, boolean isSkipped) {
    add(new Segment(firstSequence, path(firstSequence), bytes, lostFrom, isSkipped));
    preparedBytes.addAndGet(-bytes);
  }

  void remove(long firstSequence) {
    byFirst.remove(firstSequence);
  }

  /** Removes a segment if it may go; excludes {@link #holdFrom}, which may make it stay. */
  synchronized boolean removeIf(long firstSequence, BooleanSupplier mayGo) {
    if (!mayGo.getAsBoolean()) {
      return false;
    }
    remove(firstSequence);
    return true;
  }

  /** Renames a file. */
  @FunctionalInterface
  interface Renaming {
    void run() throws IOException;
  }

  /**
   * Lets another file take the place of a segment's, unless the segment was deleted; excludes
   * {@link #removeIf}, so that a deleted file does not come back.
   *
   * @param bytes the length of the file that takes the place
   * @param renaming gives it the segment's name
   */
  synchronized boolean replace(Segment segment, long bytes, Renaming renaming) throws IOException {
    if (!has(segment)) {
      return false;
    }
    renaming.run();
    add(
        new Segment(
            segment.firstSequence(),
            segment.path(),
            bytes,
            segment.lostFrom(),
            segment.isSkipped(),
            segment.version() + 1));
    replacements++;
    return true;
  }

  /** How many segments were replaced. A reader that sees it grow looks whether its own was. */
  long replacements() {
    return replacements;
  }

  /**
   * Runs {@code hold}, which makes all segments from {@code sequence} on stay, if they still exist.
   */
  synchronized boolean holdFrom(long sequence, Runnable hold) {
    Segment oldest = oldest();
    if (oldest != null && sequence < oldest.firstSequence()) {
      return false;
    }
    hold.run();
    return true;
  }

  /** The sequence before the oldest segment; 0 when there is none. */
  long begin() {
    Segment oldest = oldest();
    return oldest == null ? 0 : oldest.firstSequence() - 1;
  }

  /** The ranges after that sequence that have no records. */
  List<LostRange> lost(long after) {
    List<LostRange> lost = new ArrayList<>();
    long begin = begin();
    if (after < begin) {
      lost.add(new LostRange(after + 1, begin));
    }
    for (Segment segment : byFirst.tailMap(Math.max(after, begin) + 1, false).values()) {
      LostRange before = segment.lost();
      if (before != null) {
        lost.add(
            new LostRange(Math.max(before.from(), after + 1), before.to(), before.isSkipped()));
      }
    }
    return lost;
  }

  /** Behind which sequence there are that many sequences up to {@code last}, the gaps left out. */
  long behind(long last, long sequences) {
    long behind = last - sequences;
    for (Segment segment : byFirst.descendingMap().values()) {
      LostRange lost = segment.lost();
      if (lost != null && lost.to() > behind) {
        behind -= lost.records();
      }
    }
    return behind;
  }

  boolean has(Segment segment) {
    return byFirst.containsKey(segment.firstSequence());
  }

  int count() {
    return byFirst.size();
  }

  long bytes() {
    return preparedBytes.get() + byFirst.values().stream().mapToLong(Segment::bytes).sum();
  }

  @Nullable Segment oldest() {
    return value(byFirst.firstEntry());
  }

  @Nullable Segment newest() {
    return value(byFirst.lastEntry());
  }

  /** The segment that contains that sequence, or would. */
  @Nullable Segment holding(long sequence) {
    return value(byFirst.floorEntry(sequence));
  }

  /** The segment that starts with that sequence. */
  @Nullable Segment startingAt(long firstSequence) {
    return byFirst.get(firstSequence);
  }

  /** The segment before the one that starts at that sequence. */
  @Nullable Segment before(long firstSequence) {
    return value(byFirst.lowerEntry(firstSequence));
  }

  /** The segment after the one that starts at that sequence. */
  @Nullable Segment after(long firstSequence) {
    return value(byFirst.higherEntry(firstSequence));
  }

  private static @Nullable Segment value(Map.@Nullable Entry<Long, Segment> entry) {
    return entry == null ? null : entry.getValue();
  }
}
