package gilmok.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the sound records of a damaged log and the missing ones between them. The next footer's
 * counts show how many of each stream are missing; where no footer follows, only the total is
 * known.
 *
 * <p>Not thread-safe: owned by the salvaging thread.
 */
final class SalvageAccount implements SalvageScan.Visitor {
  private final List<Gap> gaps = new ArrayList<>();
  private final List<LostRange> open = new ArrayList<>();
  private final List<LostRange> skipped = new ArrayList<>();
  private final StreamCounts found = new StreamCounts();
  private StreamCounts since = new StreamCounts();
  private @Nullable StreamCounts before;
  private @Nullable StreamCounts begin;
  private long next;

  /**
   * @param begin the sequence at which the log begins
   */
  SalvageAccount(long begin) {
    next = begin;
    before = begin == 1 ? new StreamCounts() : null;
    this.begin = before;
  }

  /**
   * The records missing between two sound batches.
   *
   * @param streamsKnown whether a footer says which streams; if not, all are counted as the stream
   *     that most records have
   */
  record Gap(LostRange range, StreamCounts counts, boolean streamsKnown) {}

  @Override
  public void batch(SalvageScan.Batch batch) throws IOException {
    reach(batch.first());
    StreamCounts counts = batch.counts();
    found.add(counts);
    since.add(counts);
    next += batch.records();
  }

  @Override
  public void footer(long sequence, StreamCounts counts) {
    reach(sequence);
    StreamCounts left = counts.copy();
    left.subtract(since);
    if (before != null) {
      left.subtract(before);
      settle(left);
    } else {
      settle(null);
      gaps.forEach(gap -> left.subtract(gap.counts()));
      begin = left;
    }
    before = counts.copy();
    since = new StreamCounts();
  }

  @Override
  public void skipped(LostRange range) {
    if (range.to() >= next) {
      reach(range.from());
      skipped.add(new LostRange(next, range.to(), true));
      next = range.to() + 1;
    }
  }

  /** Ends the scan; the log is known from elsewhere to have reached {@code known}. */
  void end(long known) {
    reach(known + 1);
    settle(null);
  }

  List<Gap> gaps() {
    return gaps;
  }

  /** The sequences that never had a durable record. */
  List<LostRange> skipped() {
    return skipped;
  }

  /** The sound records, by stream. */
  StreamCounts found() {
    return found;
  }

  /** The records before the log's beginning, as far as known. */
  StreamCounts before() {
    return begin == null ? new StreamCounts() : begin.copy();
  }

  /** The sequence after all records, sound or missing. */
  long next() {
    return next;
  }

  private void reach(long sequence) {
    if (sequence > next) {
      LostRange last = open.isEmpty() ? null : open.getLast();
      if (last != null && last.to() + 1 == next) {
        open.set(open.size() - 1, new LostRange(last.from(), sequence - 1));
      } else {
        open.add(new LostRange(next, sequence - 1));
      }
      next = sequence;
    }
  }

  /** Computes for each open gap how many records of each stream it has. */
  private void settle(@Nullable StreamCounts left) {
    long missing = open.stream().mapToLong(LostRange::records).sum();
    boolean known = left != null && left.total() == missing && isPositive(left);
    for (LostRange range : open) {
      StreamCounts counts = new StreamCounts();
      if (known && left != null) {
        take(left, range.records(), counts);
      } else {
        counts.add(commonest(), range.records());
      }
      gaps.add(new Gap(range, counts, known));
    }
    open.clear();
  }

  private static void take(StreamCounts left, long wanted, StreamCounts counts) {
    long open = wanted;
    for (Stream stream : Stream.values()) {
      long part = Math.min(open, left.of(stream));
      counts.add(stream, part);
      left.add(stream, -part);
      open -= part;
    }
  }

  private static boolean isPositive(StreamCounts counts) {
    for (Stream stream : Stream.values()) {
      if (counts.of(stream) < 0) {
        return false;
      }
    }
    return true;
  }

  private Stream commonest() {
    Stream commonest = Stream.TRACES;
    for (Stream stream : Stream.values()) {
      commonest = found.of(stream) > found.of(commonest) ? stream : commonest;
    }
    return commonest;
  }
}
