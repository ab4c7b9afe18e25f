package gilmok.history;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rider's positions in the order of their places, each once, wherever they are: in files, some
 * of them late or twice, and in the log. They are found by passes: each finds the first so many
 * behind the last one, and reads only what can have them, so memory has a bound and no order of
 * files is needed.
 *
 * <p>Not thread-safe: one thread at a time has the question.
 */
final class RiderPoints implements AutoCloseable {
  /** So many are found by a pass. */
  static final int PASS_MAX = 4096;

  private final FreshPoints fresh;
  private final int rider;
  private final ShippedPoints shipped;
  private final FirstInOrder<TracePoint> first;
  private @Nullable Place last;
  private List<TracePoint> found = List.of();
  private int at;
  private boolean isLastPass;

  /**
   * The positions behind a place.
   *
   * @param rider the rider's number among those of {@code fresh}
   * @param shipped what may have positions of this rider; closed with this
   * @param after null for all
   */
  RiderPoints(
      FreshPoints fresh, int rider, ShippedPoints shipped, @Nullable Place after, int passMax) {
    this.fresh = fresh;
    this.rider = rider;
    this.shipped = shipped;
    last = after;
    first =
        new FirstInOrder<>(
            (one, other) -> one.place().compareTo(other.place()),
            passMax,
            Long.MAX_VALUE / 4,
            _ -> 0);
  }

  /** The next position; null when there are no more. */
  @Nullable TracePoint next() throws IOException, InterruptedException {
    while (at == found.size()) {
      if (isLastPass) {
        return null;
      }
      pass();
    }
    TracePoint point = found.get(at++);
    last = point.place();
    return point;
  }

  /** A number that changes when anything does that these positions come from. */
  long digest() throws IOException, InterruptedException {
    return 31 * shipped.digest() + fresh.digest(rider, last);
  }

  private void pass() throws IOException, InterruptedException {
    first.clear();
    at = 0;
    Place known = fresh.into(rider, last, first);
    shipped.into(last, first);
    found = first.all();
    isLastPass = first.bound() == null && known == null;
    if (known != null) {
      found = upTo(known);
    }
  }

  /** Those found up to a place: what is behind it is found by another pass. */
  private List<TracePoint> upTo(Place known) {
    int end = found.size();
    while (end > 0 && found.get(end - 1).place().compareTo(known) > 0) {
      end--;
    }
    return found.subList(0, end);
  }

  @Override
  public void close() {
    shipped.close();
  }
}
