package gilmok.lab.torture;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The server's process as a fault found it. That something did not reach it is strange only while
 * it is there: others may end it at the same time, or hold it up. Blocks.
 *
 * @param now which process it is when that is asked; 0 when there is none
 * @param pid which it was
 */
record Victim(LongSupplier now, long pid) {
  private static final int SECOND_LOOK_MILLIS = 500;

  static Victim of(Node node) {
    return new Victim(node::pid, node.pid());
  }

  boolean isThere() {
    return pid != 0 && now.getAsLong() == pid;
  }

  /** Whether it is still there a moment later, and was not held up: who is being ended is not. */
  private boolean isUndisturbed() throws InterruptedException {
    if (!isThere() || ProcessLook.isStopped(pid)) {
      return false;
    }
    TimeUnit.MILLISECONDS.sleep(SECOND_LOOK_MILLIS);
    return isThere() && !ProcessLook.isStopped(pid);
  }

  /**
   * It has to have been reached.
   *
   * @param why it was not, in words
   * @throws DidNotTakeException when it was not, and nothing else explains that
   */
  void mustHave(boolean taken, String why) throws DidNotTakeException, InterruptedException {
    if (!taken && isUndisturbed()) {
      throw new DidNotTakeException(why);
    }
  }
}
