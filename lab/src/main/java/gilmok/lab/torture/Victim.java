package gilmok.lab.torture;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The server's process at the beginning of a fault. If the fault did not reach it, that is an error
 * only while the process is still there and running: another fault may have ended or stopped it at
 * the same time. Blocks.
 *
 * @param now the present process id when called; 0 if there is none
 * @param pid the process id at the beginning
 */
record Victim(LongSupplier now, long pid) {
  private static final int SECOND_LOOK_MILLIS = 500;

  static Victim of(Node node) {
    return new Victim(node::pid, node.pid());
  }

  boolean isThere() {
    return pid != 0 && now.getAsLong() == pid;
  }

  /** Whether it is running, and still is a moment later: a process that is being ended is not. */
  private boolean isUndisturbed() throws InterruptedException {
    if (!isThere() || ProcessLook.isStopped(pid)) {
      return false;
    }
    TimeUnit.MILLISECONDS.sleep(SECOND_LOOK_MILLIS);
    return isThere() && !ProcessLook.isStopped(pid);
  }

  /**
   * Checks that the fault has reached the process.
   *
   * @param why describes the failure
   * @throws DidNotTakeException when it has not, and nothing else explains that
   */
  void mustHave(boolean taken, String why) throws DidNotTakeException, InterruptedException {
    if (!taken && isUndisturbed()) {
      throw new DidNotTakeException(why);
    }
  }
}
