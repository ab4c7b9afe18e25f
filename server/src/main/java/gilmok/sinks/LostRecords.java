package gilmok.sinks;

import gilmok.log.Log;
import gilmok.log.LostRange;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Accounts for records that the log lost before a sink had settled them. Not thread-safe: used at
 * the start.
 */
record LostRecords(String sink, Log log) {
  private static final Logger LOGGER = System.getLogger("gilmok.sinks");
  private static final Stream[] STREAMS = Stream.values();

  /**
   * Counts the lost records as lost, except those settled before, and passes them. The log's counts
   * up to the mark are known from the account; the log itself no longer has them.
   */
  void settle(SinkCheckpoint opened, List<LostRange> ranges) throws IOException {
    for (LostRange range : ranges) {
      if (range.from() > opened.low() + 1) {
        loseAbove(opened, range);
        continue;
      }
      // A range is counted as one, so it is never parted.
      long end = opened.ranges.end(range.to());
      StreamCounts through = log.acceptedThrough(end);
      StreamCounts settled = opened.settledBelow();
      settled.add(opened.ranges.through(end));
      StreamCounts gone = new StreamCounts();
      for (Stream stream : STREAMS) {
        if (opened.takes(stream) && opened.counts.since().of(stream) <= end) {
          gone.add(stream, Math.max(0, through.of(stream) - settled.of(stream)));
        }
      }
      opened.lose(end, gone);
      if (range.isSkipped()) {
        continue;
      }
      LOGGER.log(
          Level.ERROR,
          "sink {0} has lost {1} records: the log has no sequences {2} to {3} any"
              + " more; the sink continues after them. Look for them in a backup and at the"
              + " other sinks",
          sink,
          gone,
          String.valueOf(range.from()),
          String.valueOf(range.to()));
    }
  }

  /**
   * Counts a lost range behind records that are still to be sent: it is settled there, above the
   * mark.
   */
  private void loseAbove(SinkCheckpoint opened, LostRange range) throws IOException {
    Ranges settled = opened.ranges;
    if (settled.holds(range.from(), range.to())) {
      return; // counted at an earlier start, or settled before it was lost
    }
    // Settled records of the range are not lost. A range is counted as a whole, so it is never
    // divided.
    long begin = settled.begin(range.from());
    long end = settled.end(range.to());
    StreamCounts lost = log.acceptedThrough(end);
    lost.subtract(log.acceptedThrough(begin - 1));
    lost.subtract(settled.through(end));
    lost.add(settled.through(begin - 1));
    StreamCounts gone = new StreamCounts();
    for (Stream stream : STREAMS) {
      if (opened.takes(stream) && opened.counts.since().of(stream) <= range.from()) {
        gone.add(stream, Math.max(0, lost.of(stream)));
      }
    }
    opened.settle(range.from(), range.to(), gone);
    opened.counts.lost().add(gone);
    if (range.isSkipped()) {
      return;
    }
    LOGGER.log(
        Level.ERROR,
        "sink {0} has lost {1} records: the log has no sequences {2} to {3} any"
            + " more. Look for them in a backup and at the other sinks",
        sink,
        gone,
        String.valueOf(range.from()),
        String.valueOf(range.to()));
  }
}
