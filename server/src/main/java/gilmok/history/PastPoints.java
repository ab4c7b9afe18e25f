package gilmok.history;

import gilmok.log.Log;
import gilmok.log.Stream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * All positions of some riders and of one span. Riders are gone through in order. Not thread-safe:
 * one thread at a time has the question.
 */
final class PastPoints {
  private final @Nullable ShippedStream shipped;
  private final RiderSet riders;
  private final TimeSpan span;
  private final QuestionTime time;
  private final QuestionCounts counts;
  private final FreshPoints fresh;

  /** Looks what is where; nothing is read yet. */
  PastPoints(
      Log log,
      @Nullable ShippedStream shipped,
      RiderSet riders,
      TimeSpan span,
      long nowMillis,
      QuestionTime time,
      QuestionCounts counts)
      throws IOException {
    this.shipped = shipped;
    this.riders = riders;
    this.span = span;
    this.time = time;
    this.counts = counts;
    // In this order: what is shipped meanwhile is found in both, never in neither.
    long settled = shipped == null ? 0 : shipped.settled().getAsLong();
    FreshRecords records =
        new FreshRecords(log, Stream.TRACES, span, settled, nowMillis, time, counts);
    fresh = new FreshPoints(records, riders, span, FreshPoints.KEPT_MAX);
  }

  /** A rider's positions behind a place; null for all of them. */
  RiderPoints of(int rider, @Nullable Place after) throws IOException, InterruptedException {
    String id = riders.riders().get(rider);
    ShippedPoints points = new ShippedPoints(shipped, id, span, time, counts);
    return new RiderPoints(fresh, rider, points, after, RiderPoints.PASS_MAX);
  }
}
