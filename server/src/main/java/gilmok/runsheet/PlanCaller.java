package gilmok.runsheet;

import org.jspecify.annotations.Nullable;

/**
 * Whoever waits for a plan, and may go away meanwhile. Only waiting for a plan is broken off then:
 * what else a request's thread does, such as asking a store, has ends of its own. Thread-safe.
 */
final class PlanCaller {
  private @Nullable Thread waiting;
  private boolean gone;

  /** Went away: the wait for its plan, if there is one, is interrupted. */
  synchronized void leave() {
    gone = true;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  /**
   * This thread begins to wait for its plan.
   *
   * @throws InterruptedException when nobody wants it any more
   */
  synchronized void beginToWait() throws InterruptedException {
    if (gone) {
      throw new InterruptedException("the caller is gone");
    }
    waiting = Thread.currentThread();
  }

  /** The thread does not wait any more. */
  synchronized void endToWait() {
    waiting = null;
  }
}
