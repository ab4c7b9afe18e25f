package gilmok.runsheet;

import gilmok.runsheet.plan.Budget;
import java.util.concurrent.locks.LockSupport;

/**
 * A budget that ends at a point in time, or when its plan is no longer wanted. Any thread may call
 * {@link #end}; the planning thread calls {@link #used}, which now and then sleeps for a moment.
 * Linux moves waiting threads away from a processor that never becomes idle only a few hundred
 * times a second, so a thread that waits behind another one on such a processor would wait for
 * milliseconds; a processor that becomes idle takes over waiting threads at once. (See {@code
 * newidle_balance} in the kernel's sched/fair.c.)
 */
final class Deadline implements Budget {
  private static final long REST_EVERY_NANOS = 1_000_000L;
  private static final long REST_NANOS = 1_000L;

  private final long beganNanos;
  private final double nanos;
  private long restedNanos;
  private volatile boolean isOver;

  /**
   * Starts the budget now.
   *
   * @param nanos how long it lasts
   */
  Deadline(long nanos) {
    beganNanos = System.nanoTime();
    restedNanos = beganNanos;
    this.nanos = (double) Math.max(1, nanos);
  }

  /** Ends the budget, because the plan is no longer wanted. */
  void end() {
    isOver = true;
  }

  @Override
  public double used() {
    long now = System.nanoTime();
    if (now - restedNanos > REST_EVERY_NANOS) {
      LockSupport.parkNanos(REST_NANOS);
      now = System.nanoTime();
      restedNanos = now;
    }
    return isOver ? Double.POSITIVE_INFINITY : (now - beganNanos) / nanos;
  }
}
