package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.List;

/**
 * The numbers of a sink's records by stream. Not thread-safe: guarded by its owner's lock.
 *
 * @param since the first sequence of each stream that is taken; 0 for a stream that is not
 * @param before records accepted before {@code since}
 * @param delivered records acknowledged by the destination; above the low-water mark or below it
 * @param quarantined records that were quarantined, likewise
 * @param skipped records that were given up when the sink was detached
 * @param lost records that the log lost before they were settled
 * @param below records in flight or to be replayed that are at or below the low-water mark
 * @param erased records that were erased in the log before they were settled
 */
record SinkCounts(
    StreamCounts since,
    StreamCounts before,
    StreamCounts delivered,
    StreamCounts quarantined,
    StreamCounts skipped,
    StreamCounts lost,
    StreamCounts below,
    StreamCounts erased) {

  SinkCounts() {
    this(
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts());
  }

  List<StreamCounts> all() {
    return List.of(since, before, delivered, quarantined, skipped, lost, below, erased);
  }

  SinkCounts copy() {
    return new SinkCounts(
        since.copy(),
        before.copy(),
        delivered.copy(),
        quarantined.copy(),
        skipped.copy(),
        lost.copy(),
        below.copy(),
        erased.copy());
  }
}
