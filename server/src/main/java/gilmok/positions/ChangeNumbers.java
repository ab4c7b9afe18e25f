package gilmok.positions;

import java.util.concurrent.TimeUnit;

/**
 * The numbers of changes of latest positions, by which readers of streams resume: each is higher
 * than all before, also over a restart. They are the log's own sequences; or, of a node that takes
 * positions from others too, a count that begins with the microseconds since 1970. No node has a
 * million changes a second for long, so the count of the next start begins above.
 *
 * <p>Not thread-safe: used under the lock of {@link Positions}.
 */
abstract sealed class ChangeNumbers {
  /** The sequences of the log. */
  static final ChangeNumbers OF_LOG = new OfLog();

  /** More changes than there can be between two snapshots. */
  private static final long UNSAVED_MAX = 1L << 32;

  /**
   * A count.
   *
   * @param newest the highest number that was saved before this start: the clock may have been set
   *     back since
   */
  static ChangeNumbers ofNode(long clockMillis, long newest) {
    long clock = TimeUnit.MILLISECONDS.toMicros(clockMillis);
    return new OfNode(newest < clock ? clock : newest + UNSAVED_MAX);
  }

  /**
   * The number of the next change.
   *
   * @param sequence the log's, of the record that makes it
   */
  abstract long next(long sequence);

  /**
   * The number up to which there are no further changes.
   *
   * @param sequence the log's, up to which it was read
   */
  abstract long last(long sequence);

  private static final class OfLog extends ChangeNumbers {
    @Override
    long next(long sequence) {
      return sequence;
    }

    @Override
    long last(long sequence) {
      return sequence;
    }
  }

  private static final class OfNode extends ChangeNumbers {
    private long last;

    OfNode(long last) {
      this.last = last;
    }

    @Override
    long next(long sequence) {
      return ++last;
    }

    @Override
    long last(long sequence) {
      return last;
    }
  }
}
