package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ranges of sequences, apart from one another, each with how many records of the sink's streams lie
 * in it. Neighbours become one.
 *
 * <p>Not thread-safe.
 */
final class Ranges {
  /** From one sequence to another, both included. */
  record Range(long from, long to, StreamCounts counts) {}

  private final TreeMap<Long, Range> byFirst = new TreeMap<>();
  private final StreamCounts counts = new StreamCounts();

  /** Adds a range; the records are those that were not there before. */
  void add(long from, long to, StreamCounts more) {
    long first = from;
    long last = to;
    StreamCounts sum = more.copy();
    // From behind, so that each is met once: whatever overlaps the new one or touches it.
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
   * Lets go of what follows a sequence without a gap, and of all before.
   *
   * @return where that ends; the same sequence when nothing follows it
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

  /** Where the range ends that holds that sequence or begins right behind it; else it itself. */
  long end(long sequence) {
    Map.Entry<Long, Range> near = byFirst.floorEntry(sequence + 1);
    return near == null ? sequence : Math.max(sequence, near.getValue().to());
  }

  /** Where the range begins that holds that sequence; else it itself. */
  long begin(long sequence) {
    Map.Entry<Long, Range> near = byFirst.floorEntry(sequence);
    return near != null && sequence <= near.getValue().to() ? near.getKey() : sequence;
  }

  /** Whether all from one sequence to another lies in one of them. */
  boolean holds(long from, long to) {
    Map.Entry<Long, Range> near = byFirst.floorEntry(from);
    return near != null && to <= near.getValue().to();
  }

  /** Whether that sequence lies in one of them. */
  boolean holds(long sequence) {
    return holds(sequence, sequence);
  }

  /** Records of the ranges that end there or before. */
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

  /** All of them, in order; a view. */
  Collection<Range> all() {
    return byFirst.values();
  }

  /** How many ranges. */
  int size() {
    return byFirst.size();
  }

  /** How many records lie in all of them; a view. */
  StreamCounts counts() {
    return counts;
  }

  /** The same ranges, apart from these. */
  Ranges copy() {
    Ranges copy = new Ranges();
    copy.byFirst.putAll(byFirst);
    copy.counts.add(counts);
    return copy;
  }

  /** Forgets all. */
  void clear() {
    byFirst.clear();
    counts.subtract(counts.copy());
  }
}
