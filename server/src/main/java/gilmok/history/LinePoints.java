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
  /** Two positions further apart in time are not joined by a line: nobody knows the way. */
  static final long GAP_MILLIS = 10 * 60_000L;

  private static final double E7 = 1e7;

  private final RiderWalk walk;
  private final @Nullable LineSimplifier simplifier;
  private final Deque<TracePoint> remaining = new ArrayDeque<>();

  /** Where the line begins that was answered already; null where it is new. */
  private @Nullable Place known;

  private @Nullable TracePoint now;

  /** The one before, as long as it is not known whether it remains. */
  private @Nullable TracePoint before;

  private long lastMillis;

  /** The last position that came after a gap; a line begins with it, so it remains. */
  private @Nullable Place afterGap;

  private boolean isAfterGap;
  private boolean isBegun;
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
    while (remaining.isEmpty() && !isEnded) {
      TracePoint point = walk.next();
      boolean isCut = point != null && isBegun && point.atMillis() - lastMillis > GAP_MILLIS;
      if (line != null && (point == null || isCut)) {
        line.end();
      }
      if (point == null) {
        isEnded = true;
        break;
      }
      isBegun = true;
      lastMillis = point.atMillis();
      if (isCut) {
        afterGap = point.place();
      }
      if (line == null) {
        remaining.add(point);
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
    TracePoint next = remaining.poll();
    isAfterGap = next != null && next.place().equals(afterGap);
    return next;
  }

  /** Whether nothing came for long before the position that {@link #next} has given. */
  boolean isAfterGap() {
    return isAfterGap;
  }

  /** A new line begins, the next rider's. */
  void nextRider() throws IOException, InterruptedException {
    walk.nextRider();
    isEnded = false;
    isBegun = false;
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
