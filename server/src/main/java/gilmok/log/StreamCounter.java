package gilmok.log;

import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * How many records became durable, by stream, since the log was begun; and how many before each of
 * the segments for which that is known. Counted up by the writer, asked by anyone.
 */
final class StreamCounter {
  private static final Stream[] STREAMS = Stream.values();

  private final ConcurrentNavigableMap<Long, StreamCounts> before = new ConcurrentSkipListMap<>();
  private final StreamCounts counts;
  private long through;

  /**
   * @param through the last sequence that is counted
   */
  StreamCounter(StreamCounts counts, long through) {
    this.counts = counts.copy();
    this.through = through;
  }

  /** A group is on disk. Once for each fsync, nothing is allocated. */
  synchronized void add(CommitGroup group) {
    for (Stream stream : STREAMS) {
      counts.add(stream, group.count(stream));
    }
    through += group.count();
  }

  /** All that is durable. */
  synchronized StreamCounts counts() {
    return counts.copy();
  }

  /** The last sequence that is counted. */
  synchronized long last() {
    return through;
  }

  /** All that is durable, if that is the last sequence; null if not. */
  synchronized @Nullable StreamCounts through(long sequence) {
    return sequence == through ? counts.copy() : null;
  }

  /** How many there were before the segment that starts there; null when that is not known. */
  @Nullable StreamCounts before(long firstSequence) {
    // Whatever was ever written has a sequence, and they begin at 1.
    StreamCounts known = firstSequence == 1 ? new StreamCounts() : before.get(firstSequence);
    return known == null ? null : known.copy();
  }

  /** So many there were before that segment. */
  void isBefore(long firstSequence, StreamCounts known) {
    before.put(firstSequence, known.copy());
  }

  /** Nobody asks for segments that are gone. */
  void forgetBefore(long oldestSequence) {
    before.headMap(oldestSequence).clear();
  }
}
