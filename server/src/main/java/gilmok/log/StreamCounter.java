package gilmok.log;

import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * How many records became durable, by stream, since the log was begun; and how many before each
 * segment for which that is known. The writer adds to it; any thread may read it.
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

  /** Adds a durable group. Called once for each fsync; allocates nothing. */
  synchronized void add(CommitGroup group) {
    for (Stream stream : STREAMS) {
      counts.add(stream, group.count(stream));
    }
    through += group.count();
  }

  /** The counts of all durable records. */
  synchronized StreamCounts counts() {
    return counts.copy();
  }

  /** The last sequence that is counted. */
  synchronized long last() {
    return through;
  }

  /** The counts of all durable records if {@code sequence} is the last of them; else null. */
  synchronized @Nullable StreamCounts through(long sequence) {
    return sequence == through ? counts.copy() : null;
  }

  /** The counts before the segment that starts there; null when they are not known. */
  @Nullable StreamCounts before(long firstSequence) {
    // Sequences begin at 1, so nothing was written before it.
    StreamCounts known = firstSequence == 1 ? new StreamCounts() : before.get(firstSequence);
    return known == null ? null : known.copy();
  }

  /** Stores the counts before that segment. */
  void isBefore(long firstSequence, StreamCounts known) {
    before.put(firstSequence, known.copy());
  }

  /** Forgets the counts before segments that are deleted. */
  void forgetBefore(long oldestSequence) {
    before.headMap(oldestSequence).clear();
  }
}
