package gilmok.history;

import gilmok.history.trip.LineSimplifier;
import gilmok.history.trip.PointSink;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Those positions of a walk that remain of a line: of each rider all, or as few as the line needs.
 * Not thread-safe: one thread at a time has the question.
 */
final class LinePoints {
  private static final double E7 = 1e7;

  private final RiderWalk walk;
  private final @Nullable LineSimplifier simplifier;
  private final Deque<TracePoint> remaining = new ArrayDeque<>();

  /** Where the line begins that was answered already; null where it is new. */
  private @Nullable Place known;

  private @Nullable TracePoint now;

  /** The one before, as long as it is not known whether it remains. */
  private @Nullable TracePoint before;

  private boolean isEnded;

  /**
   * The line through a walk.
   *
   * @param metres how far the line may be from what is left out; 0 leaves nothing out
   * @param known the first position, if it was answered already and the line only begins there
   */
  LinePoints(RiderWalk walk, double metres, @Nullable Place known) {
    this.walk = walk;
    this.known = known;
    simplifier = metres > 0 ? new LineSimplifier(metres, new Remaining()) : null;
  }

  /** The next one of the rider whose turn it is; null when there are no more. */
  @Nullable TracePoint next() throws IOException, InterruptedException {
    LineSimplifier line = simplifier;
    if (line == null) {
      return walk.next();
    }
    while (remaining.isEmpty() && !isEnded) {
      TracePoint point = walk.next();
      if (point == null) {
        line.end();
        isEnded = true;
      } else {
        now = point;
        line.point(
            point.atMillis(),
            (int) Math.round(point.lat() * E7),
            (int) Math.round(point.lon() * E7),
            point.measured().accuracy());
        before = now;
      }
    }
    return remaining.poll();
  }

  /** A new line begins, the next rider's. */
  void nextRider() throws IOException, InterruptedException {
    walk.nextRider();
    isEnded = false;
    known = null;
  }

  /**
   * What is told remains: the one before, if nothing was told of it yet, else the one that came
   * now.
   */
  private final class Remaining implements PointSink {
    @Override
    public void point(long atMillis, int latE7, int lonE7, double accuracy) {
      TracePoint told = before == null ? now : before;
      if (before == null) {
        now = null;
      }
      before = null;
      if (told != null && !told.place().equals(known)) {
        remaining.add(told);
      }
    }

    @Override
    public void end() {
      before = null;
      now = null;
    }
  }
}
