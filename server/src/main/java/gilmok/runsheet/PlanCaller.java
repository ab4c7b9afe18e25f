package gilmok.runsheet;

import org.jspecify.annotations.Nullable;

/**
 * A request's sender that waits for a plan and may disconnect meanwhile. A disconnect interrupts
 * only the wait for the plan; the request's other work, such as reading a store, has time limits of
 * its own. Thread-safe.
 */
final class PlanCaller {
  private @Nullable Thread waiting;
  private boolean gone;

  /** The sender has disconnected: interrupts the wait for the plan, if there is one. */
  synchronized void leave() {
    gone = true;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  /**
   * Marks this thread as waiting for the plan.
   *
   * @throws InterruptedException when the sender has already disconnected
   */
  synchronized void beginToWait() throws InterruptedException {
    if (gone) {
      throw new InterruptedException("the caller is gone");
    }
    waiting = Thread.currentThread();
  }

  /** Marks the wait as over. */
  synchronized void endToWait() {
    waiting = null;
  }
}
