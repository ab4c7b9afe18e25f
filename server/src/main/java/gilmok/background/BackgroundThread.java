package gilmok.background;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;

/**
 * Threads for work that is neither a request ({@code http.Offload}) nor a loop ({@link
 * BackgroundLoop}): each has a name, and one that a bug ends says so in the log. Thread-safe.
 */
public final class BackgroundThread {
  private static final Logger LOGGER = System.getLogger("gilmok.background");

  private BackgroundThread() {}

  /** One that mostly waits: a virtual thread. Not started. */
  public static Thread virtual(String name, Runnable work) {
    return watched(Thread.ofVirtual().name(name).unstarted(work));
  }

  /** The same, started. */
  public static Thread startVirtual(String name, Runnable work) {
    return started(virtual(name, work));
  }

  /** One of the machine's own, which keeps no process alive. Not started. */
  public static Thread daemon(String name, Runnable work) {
    return watched(Thread.ofPlatform().daemon().name(name).unstarted(work));
  }

  /** The same, started. */
  public static Thread startDaemon(String name, Runnable work) {
    return started(daemon(name, work));
  }

  /** One of the machine's own, which the process waits for. Not started. */
  public static Thread lasting(String name, Runnable work) {
    // Else it would be a daemon where a daemon makes it.
    return watched(Thread.ofPlatform().daemon(false).name(name).unstarted(work));
  }

  /** The same, started. */
  public static Thread startLasting(String name, Runnable work) {
    return started(lasting(name, work));
  }

  /** Virtual threads of one name, for an executor. */
  public static ThreadFactory virtuals(String name) {
    return work -> virtual(name, work);
  }

  private static Thread started(Thread thread) {
    thread.start();
    return thread;
  }

  private static Thread watched(Thread thread) {
    thread.setUncaughtExceptionHandler(
        (ended, bug) -> LOGGER.log(Level.ERROR, "a bug ended the thread " + ended.getName(), bug));
    return thread;
  }
}
