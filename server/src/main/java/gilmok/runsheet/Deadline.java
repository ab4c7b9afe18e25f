package gilmok.runsheet;

import gilmok.runsheet.plan.Budget;

/** A budget by the clock, which can also be taken back. Any thread may take it back. */
final class Deadline implements Budget {
  private final long beganNanos;
  private final double nanos;
  private volatile boolean isOver;

  /**
   * Begins now.
   *
   * @param nanos how long it lasts
   */
  Deadline(long nanos) {
    beganNanos = System.nanoTime();
    this.nanos = (double) Math.max(1, nanos);
  }

  /** Nobody waits any more. */
  void end() {
    isOver = true;
  }

  @Override
  public double used() {
    return isOver ? Double.POSITIVE_INFINITY : (System.nanoTime() - beganNanos) / nanos;
  }
}
