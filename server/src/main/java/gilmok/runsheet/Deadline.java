package gilmok.runsheet;

import gilmok.runsheet.plan.Budget;
import java.util.concurrent.locks.LockSupport;

/**
 * A budget by the clock, which can also be taken back. Any thread may take it back; the one that
 * plans asks how much is used, and now and then sleeps for a moment as it does. A processor that
 * never falls idle is looked at by Linux a few hundred times a second only, so what waits for
 * another processor, beside this one that merely plans, would wait for milliseconds; one that falls
 * idle takes it over at once. (See {@code newidle_balance} in the kernel's sched/fair.c.)
 */
final class Deadline implements Budget {
  private static final long REST_EVERY_NANOS = 1_000_000L;
  private static final long REST_NANOS = 1_000L;

  private final long beganNanos;
  private final double nanos;
  private long restedNanos;
  private volatile boolean isOver;

  /**
   * Begins now.
   *
   * @param nanos how long it lasts
   */
  Deadline(long nanos) {
    beganNanos = System.nanoTime();
    restedNanos = beganNanos;
    this.nanos = (double) Math.max(1, nanos);
  }

  /** Nobody waits any more. */
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
