package gilmok.history;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the positions of one rider after the other. Not thread-safe: one thread at a time
 * has the question.
 */
final class RiderWalk implements AutoCloseable {
  private final PastPoints past;
  private final List<String> riders;
  private int at;
  private @Nullable RiderPoints points;

  /**
   * Begins with the first rider.
   *
   * @param first the rider to begin with, or the next one if there is none of that id; empty for
   *     the first of all
   * @param after behind which place of that rider to begin; null for all of it
   */
  RiderWalk(PastPoints past, List<String> riders, String first, @Nullable Place after)
      throws IOException, InterruptedException {
    this.past = past;
    this.riders = riders;
    while (at < riders.size() && riders.get(at).compareTo(first) < 0) {
      at++;
    }
    begin(first.equals(rider()) ? after : null);
  }

  private void begin(@Nullable Place after) throws IOException, InterruptedException {
    points = at < riders.size() ? past.of(at, after) : null;
  }

  /** Whose turn it is; null when all had theirs. */
  @Nullable String rider() {
    return at < riders.size() ? riders.get(at) : null;
  }

  /** The next position of the rider whose turn it is; null when there are no more. */
  @Nullable TracePoint next() throws IOException, InterruptedException {
    RiderPoints from = points;
    return from == null ? null : from.next();
  }

  /** It is the next rider's turn. */
  void nextRider() throws IOException, InterruptedException {
    close();
    at++;
    begin(null);
  }

  /** An entity tag of what is asked for; null where it is about several riders. */
  @Nullable String tag(String question) throws IOException, InterruptedException {
    RiderPoints only = points;
    return only == null || riders.size() > 1 ? null : EntityTag.of(question, only.digest());
  }

  @Override
  public void close() {
    RiderPoints ended = points;
    points = null;
    if (ended != null) {
      ended.close();
    }
  }
}
