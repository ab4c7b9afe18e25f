package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.List;

/**
 * What became of a sink's records, by stream. Not thread-safe: its owner's lock guards it.
 *
 * @param since the first sequence of a stream that is taken; 0 for one that is not
 * @param before records accepted before that
 * @param delivered acknowledged by the destination; above the low-water mark or below it
 * @param quarantined set aside, likewise
 * @param skipped passed over when the sink was detached
 * @param lost gone from the log before they were settled
 * @param below on their way though they are at or below the low-water mark
 */
record SinkCounts(
    StreamCounts since,
    StreamCounts before,
    StreamCounts delivered,
    StreamCounts quarantined,
    StreamCounts skipped,
    StreamCounts lost,
    StreamCounts below) {

  SinkCounts() {
    this(
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts(),
        new StreamCounts());
  }

  List<StreamCounts> all() {
    return List.of(since, before, delivered, quarantined, skipped, lost, below);
  }

  SinkCounts copy() {
    return new SinkCounts(
        since.copy(),
        before.copy(),
        delivered.copy(),
        quarantined.copy(),
        skipped.copy(),
        lost.copy(),
        below.copy());
  }
}
