package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many records, by stream, there are up to a sequence: the counts of the footer before its
 * segment, and those of the records from there on. Repeated calls with growing sequences read only
 * what is new: the places reached last are kept, with their readers.
 *
 * <p>Thread-safe by one lock, held while it reads; the writer never takes it.
 */
final class StreamCountIndex implements AutoCloseable {
  private static final int TALLIES_MAX = 8;

  private final Disk disk;
  private final Segments segments;
  private final StreamCounter counter;
  private final LongFunction<LogReader> readers;

  /** In order of use: the most recently used is the last. */
  private final List<Tally> tallies = new ArrayList<>();

  /**
   * First sequences of segments that damage keeps from being counted, so that they are not tried
   * again.
   */
  private final Set<Long> uncountable = new HashSet<>();

  /**
   * @param counter knows at least the counts before the newest segment
   * @param readers opens a reader of durable records at a sequence
   */
  StreamCountIndex(
      Disk disk, Segments segments, StreamCounter counter, LongFunction<LogReader> readers) {
    this.disk = disk;
    this.segments = segments;
    this.counter = counter;
    this.readers = readers;
  }

  /**
   * The counts before the newest segment, for a log being opened: from the last footer and the
   * records after it, or from all records when there is no footer.
   */
  static StreamCounts beforeNewest(Disk disk, Segments segments, LongFunction<LogReader> readers)
      throws IOException {
    Segments.Segment newest = segments.newest();
    if (newest == null) {
      return new StreamCounts();
    }
    StreamCounter none = new StreamCounter(new StreamCounts(), 0);
    try (StreamCountIndex opened = new StreamCountIndex(disk, segments, none, readers)) {
      StreamCounts found = opened.fromBefore(newest, true);
      return found == null ? new StreamCounts() : found;
    }
  }

  /** See {@link Log#acceptedThrough}. */
  synchronized StreamCounts through(long sequence) throws IOException {
    StreamCounts all = counter.through(sequence);
    if (all != null) {
      return all;
    }
    Segments.Segment next = segments.startingAt(sequence + 1);
    if (next != null) {
      return before(next);
    }
    Segments.Segment segment = segments.holding(sequence);
    if (segment == null || sequence > counter.last()) {
      throw new IllegalArgumentException("sequence " + sequence + " is not there");
    }
    // A lost range can only be counted as a whole, from its end on.
    Segments.Segment after = segments.after(segment.firstSequence());
    long last = after == null ? sequence : Math.min(sequence, after.lostFrom() - 1);
    Tally tally = nearest(segment, last);
    try {
      tally.countTo(last);
    } catch (IOException | RuntimeException broken) {
      drop(tally);
      throw broken;
    }
    return tally.counts.copy();
  }

  /** See {@link Log#firstOf}. */
  synchronized long firstOf(Stream stream, long from) throws IOException {
    long last = counter.last();
    Segments.Segment held = segments.holding(from);
    Segments.Segment segment = held == null ? segments.oldest() : held;
    while (segment != null) {
      Segments.Segment next = segments.after(segment.firstSequence());
      if (mayHold(stream, segment, next)) {
        return Math.max(from, segment.firstSequence());
      }
      segment = next;
    }
    return Math.max(from, last + 1);
  }

  /**
   * Whether a segment may hold records of the stream; true when it cannot be counted, so that the
   * reader finds the damage.
   */
  private boolean mayHold(Stream stream, Segments.Segment segment, Segments.@Nullable Segment next)
      throws IOException {
    if (uncountable.contains(segment.firstSequence())) {
      return true;
    }
    try {
      StreamCounts behind = next == null ? counter.counts() : before(next);
      return behind.of(stream) > before(segment).of(stream);
    } catch (DamagedLogException unknown) {
      uncountable.add(segment.firstSequence());
      return true;
    }
  }

  /** Closes the readers of a segment whose file has another in its place, likewise. */
  synchronized void forget(long firstSequence) throws IOException {
    for (Tally tally : List.copyOf(tallies)) {
      if (tally.segment.firstSequence() == firstSequence) {
        drop(tally);
      }
    }
  }

  /** Closes the readers of deleted segments: an open file goes on taking room. */
  synchronized void forgetBefore(long oldestSequence) throws IOException {
    counter.forgetBefore(oldestSequence);
    uncountable.removeIf(first -> first < oldestSequence);
    for (Tally tally : List.copyOf(tallies)) {
      if (tally.segment.firstSequence() < oldestSequence) {
        drop(tally);
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    while (!tallies.isEmpty()) {
      drop(tallies.getLast());
    }
  }

  /** A tally to continue from, or a new one from the start of the segment. */
  private Tally nearest(Segments.Segment segment, long sequence) throws IOException {
    Tally nearest =
        tallies.stream()
            .filter(one -> one.through >= segment.firstSequence() && one.through <= sequence)
            .max(Comparator.comparingLong(one -> one.through))
            .orElse(null);
    if (nearest == null) {
      StreamCounts before = before(segment);
      if (tallies.size() == TALLIES_MAX) {
        drop(tallies.getFirst());
      }
      nearest = new Tally(readers.apply(segment.firstSequence()), segment, before);
    } else {
      tallies.remove(nearest);
    }
    tallies.add(nearest);
    return nearest;
  }

  private void drop(Tally tally) throws IOException {
    tallies.remove(tally);
    tally.reader.close();
  }

  private StreamCounts before(Segments.Segment segment) throws IOException {
    StreamCounts known = counter.before(segment.firstSequence());
    if (known == null) {
      known = fromBefore(segment, false);
    }
    if (known == null) {
      known = fromBehind(segment);
    }
    counter.isBefore(segment.firstSequence(), known);
    return known;
  }

  /**
   * Counts from the nearest older place with known counts.
   *
   * @param elseAll whether to count from the oldest segment when there is none
   * @return null when there is none
   */
  private @Nullable StreamCounts fromBefore(Segments.Segment segment, boolean elseAll)
      throws IOException {
    Deque<Segments.Segment> uncounted = new ArrayDeque<>();
    Segments.Segment start = segment;
    StreamCounts counts = knownBefore(start);
    while (counts == null) {
      Segments.Segment older = segments.before(start.firstSequence());
      if (older == null) {
        if (!elseAll) {
          return null;
        }
        counts = new StreamCounts();
      } else {
        counts = SegmentFooter.find(disk, older, start.firstSequence());
        if (counts == null) {
          uncounted.addFirst(older);
          start = older;
          counts = knownBefore(start);
        }
      }
    }
    for (Segments.Segment one : uncounted) {
      counter.isBefore(one.firstSequence(), counts);
      counts.add(count(one));
    }
    return counts;
  }

  /**
   * The counts at a segment's start. If records were lost before it, only its head has their
   * number.
   */
  private @Nullable StreamCounts knownBefore(Segments.Segment segment) throws IOException {
    StreamCounts known = counter.before(segment.firstSequence());
    return known == null && segment.lost() != null ? BatchScan.head(disk, segment) : known;
  }

  /** Counts backwards from the nearest younger place with known counts. */
  private StreamCounts fromBehind(Segments.Segment segment) throws IOException {
    StreamCounts between = new StreamCounts();
    Segments.Segment one = segment;
    while (true) {
      Segments.Segment next = segments.after(one.firstSequence());
      if (next == null) {
        throw new IllegalStateException("nothing is known before the newest segment");
      }
      between.add(count(one));
      StreamCounts known = next.lost() == null ? counter.before(next.firstSequence()) : null;
      if (known == null) {
        known = SegmentFooter.find(disk, one, next.lostFrom());
      }
      if (known != null) {
        known.subtract(between);
        return known;
      }
      one = next;
    }
  }

  /** The records of a segment that is not the newest. */
  private StreamCounts count(Segments.Segment segment) throws IOException {
    Segments.Segment next = segments.after(segment.firstSequence());
    long last = next == null ? segment.firstSequence() - 1 : next.lostFrom() - 1;
    try (LogReader reader = readers.apply(segment.firstSequence())) {
      Tally tally = new Tally(reader, segment, new StreamCounts());
      tally.countTo(last);
      return tally.counts;
    }
  }

  /** A reader, and the counts before it plus those of what it has read. */
  private static final class Tally {
    final LogReader reader;
    final Segments.Segment segment;
    final StreamCounts counts;
    long through;

    Tally(LogReader reader, Segments.Segment segment, StreamCounts before) {
      this.reader = reader;
      this.segment = segment;
      this.counts = before.copy();
      this.through = segment.firstSequence() - 1;
    }

    void countTo(long sequence) throws IOException {
      while (through < sequence) {
        if (!reader.nextEntry() || reader.sequence() != through + 1) {
          throw new IOException(segment.path() + ": deleted while it was counted");
        }
        counts.add(reader.stream());
        through++;
      }
    }
  }
}
