package gilmok.http;

import java.util.concurrent.Executor;

/**
 * How long ready requests wait for their event loop, and which part of them is refused so that they
 * do not wait long. When more comes than the processors take, each pass of a loop over its
 * connections takes longer, until every request is answered late and none in time.
 *
 * <p>The part that is refused follows PIE, "Proportional Integral controller Enhanced" (RFC 8033,
 * sections 4.2 and 4.3): it grows with how far the delay is above the target, and with how fast it
 * rises; in small steps while it is small, so that a pause of the machine refuses nobody. Of
 * reports eight times that part is refused, of reads four times, of positions that part, of riders'
 * actions none, until nothing else is left.
 *
 * <p>The delay is that of a task handed over while requests are read: it runs after the others that
 * are ready. A disk that is slow is not in it, as refusing would not make it faster; its queue has
 * a bound of its own.
 *
 * <p>Belongs to its event loop's thread, but for {@link #share}.
 */
final class QueueDelay {
  private static final long UPDATE_NANOS = 15_000_000L;
  private static final long IDLE_NANOS = 1_000_000_000L;
  private static final double NANOS = 1e9;

  /** RFC 8033, 4.2: by seconds of delay. */
  private static final double ALPHA = 0.125;

  private static final double BETA = 1.25;
  private static final double DECAY = 0.98;
  private static final double NONE = 1e-7;
  private static final double MORE_OF_READS = 4;
  private static final double MORE_OF_REPORTS = 8;

  /** Above this part of the positions, actions are refused, too. */
  private static final double NOTHING_ELSE_LEFT = 0.9;

  /** Up to so many updates count at once after a pass that was longer than one. */
  private static final double UPDATES_MAX = 8;

  private final double target;
  private final Runnable probe = this::arrived;
  private boolean isProbing;
  private long probed;
  private long updated;
  private double least = Double.MAX_VALUE;
  private double before;
  private long random = 0x9E3779B97F4A7C15L;

  /** Read by the metrics, from other threads. */
  private volatile double share;

  /**
   * A loop without requests.
   *
   * @param targetNanos how long they may wait; 0: however long, and none is refused
   */
  QueueDelay(long targetNanos) {
    target = targetNanos / NANOS;
  }

  /** A request is there: measures, unless that is being done. */
  void look(Executor loop) {
    if (!isProbing && target > 0) {
      isProbing = true;
      probed = System.nanoTime();
      loop.execute(probe);
    }
  }

  private void arrived() {
    isProbing = false;
    measured(probed, System.nanoTime());
  }

  /** Takes a delay, from when to when. */
  void measured(long fromNanos, long nowNanos) {
    least = Math.min(least, (nowNanos - fromNanos) / NANOS);
    long passed = nowNanos - updated;
    if (passed < UPDATE_NANOS) {
      return;
    }
    boolean isAnew = passed > IDLE_NANOS + (nowNanos - fromNanos);
    share = isAnew ? 0 : next(Math.min(UPDATES_MAX, (double) passed / UPDATE_NANOS));
    before = least;
    least = Double.MAX_VALUE;
    updated = nowNanos;
  }

  /** The share after so many updates' time. */
  private double next(double updates) {
    double now = share;
    double step = ALPHA * (least - target) * updates + BETA * (least - before);
    double next = Math.clamp(now + step * scale(now), 0, 1);
    if (least < target / 2 && before < target / 2) {
      next *= Math.pow(DECAY, updates);
    }
    return next < NONE ? 0 : next;
  }

  /** RFC 8033, 4.2, the table: the smaller the share, the smaller its steps. */
  private static double scale(double share) {
    if (share < 0.000001) {
      return 1.0 / 2048;
    } else if (share < 0.00001) {
      return 1.0 / 512;
    } else if (share < 0.0001) {
      return 1.0 / 128;
    } else if (share < 0.001) {
      return 1.0 / 32;
    } else if (share < 0.01) {
      return 1.0 / 8;
    }
    return share < 0.1 ? 0.5 : 1;
  }

  /** The part of the positions that is refused now, 0 to 1. From any thread. */
  double share() {
    return share;
  }

  /** Whether the next request of that priority is refused. */
  boolean refuses(Priority priority) {
    double all = share;
    return all > 0 && next01() < of(priority, all);
  }

  /** The part of a priority that is refused. */
  static double of(Priority priority, double share) {
    return switch (priority) {
      case ALWAYS -> 0;
      case ACTIONS -> Math.max(0, (share - NOTHING_ELSE_LEFT) / (1 - NOTHING_ELSE_LEFT));
      case TRACES -> share;
      case READS -> Math.min(1, MORE_OF_READS * share);
      case REPORTS -> Math.min(1, MORE_OF_REPORTS * share);
    };
  }

  /** A number of 0 to 1, exclusive. */
  private double next01() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return (random >>> 11) * 0x1.0p-53;
  }
}
