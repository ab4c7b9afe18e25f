package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Disjoint ranges of sequences, each with the number of the sink's records in it. Neighbours are
 * merged.
 *
 * <p>Not thread-safe.
 */
final class Ranges {
  /** A range from one sequence to another, both included. */
  record Range(long from, long to, StreamCounts counts) {}

  private final TreeMap<Long, Range> byFirst = new TreeMap<>();
  private final StreamCounts counts = new StreamCounts();

  /** Adds a range; {@code more} counts the records that were not in the ranges before. */
  void add(long from, long to, StreamCounts more) {
    long first = from;
    long last = to;
    StreamCounts sum = more.copy();
    // Backwards, so that each range that overlaps the new one or touches it is found once.
    Map.Entry<Long, Range> near = byFirst.floorEntry(to + 1);
    while (near != null && near.getValue().to() >= from - 1) {
      Range merged = near.getValue();
      first = Math.min(first, merged.from());
      last = Math.max(last, merged.to());
      sum.add(merged.counts());
      byFirst.remove(near.getKey());
      near = byFirst.floorEntry(to + 1);
    }
    byFirst.put(first, new Range(first, last, sum));
    counts.add(more);
  }

  /**
   * Removes the ranges up to {@code low}, and the one that follows it without a gap.
   *
   * @return the end of that one; {@code low} when none follows it
   */
  long absorb(long low) {
    long end = low;
    while (!byFirst.isEmpty() && byFirst.firstEntry().getValue().from() <= end + 1) {
      Range first = byFirst.pollFirstEntry().getValue();
      counts.subtract(first.counts());
      end = Math.max(end, first.to());
    }
    return end;
  }

  /**
   * The end of the range that contains that sequence or begins right after it; else the sequence.
   */
  long end(long sequence) {
    Map.Entry<Long, Range> near = byFirst.floorEntry(sequence + 1);
    return near == null ? sequence : Math.max(sequence, near.getValue().to());
  }

  /** The beginning of the range that contains that sequence; else the sequence. */
  long begin(long sequence) {
    Map.Entry<Long, Range> near = byFirst.floorEntry(sequence);
    return near != null && sequence <= near.getValue().to() ? near.getKey() : sequence;
  }

  /** Whether one range contains everything from one sequence to another. */
  boolean holds(long from, long to) {
    Map.Entry<Long, Range> near = byFirst.floorEntry(from);
    return near != null && to <= near.getValue().to();
  }

  /** Whether a range contains that sequence. */
  boolean holds(long sequence) {
    return holds(sequence, sequence);
  }

  /** The records of the ranges that end at or before that sequence. */
  StreamCounts through(long sequence) {
    StreamCounts sum = new StreamCounts();
    for (Range range : byFirst.values()) {
      if (range.to() > sequence) {
        break;
      }
      sum.add(range.counts());
    }
    return sum;
  }

  /** All ranges, in order; a view. */
  Collection<Range> all() {
    return byFirst.values();
  }

  /** The number of ranges. */
  int size() {
    return byFirst.size();
  }

  /** The records in all ranges; a view. */
  StreamCounts counts() {
    return counts;
  }

  /** An independent copy. */
  Ranges copy() {
    Ranges copy = new Ranges();
    copy.byFirst.putAll(byFirst);
    copy.counts.add(counts);
    return copy;
  }

  /** Removes all ranges. */
  void clear() {
    byFirst.clear();
    counts.subtract(counts.copy());
  }
}
