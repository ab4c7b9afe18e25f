package gilmok.background;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;

/**
 * Makes threads for work that is neither a request ({@code http.Offload}) nor a loop ({@link
 * BackgroundLoop}). Each has a name, and the log names a thread that a bug ends. Thread-safe.
 */
public final class BackgroundThread {
  private static final Logger LOGGER = System.getLogger("gilmok.background");

  private BackgroundThread() {}

  /** A virtual thread, for work that mostly waits. Not started. */
  public static Thread virtual(String name, Runnable work) {
    return watched(Thread.ofVirtual().name(name).unstarted(work));
  }

  /** A virtual thread, started. */
  public static Thread startVirtual(String name, Runnable work) {
    return started(virtual(name, work));
  }

  /** A platform thread that does not keep the process alive. Not started. */
  public static Thread daemon(String name, Runnable work) {
    return watched(Thread.ofPlatform().daemon().name(name).unstarted(work));
  }

  /** A daemon thread, started. */
  public static Thread startDaemon(String name, Runnable work) {
    return started(daemon(name, work));
  }

  /** A platform thread that keeps the process alive until it ends. Not started. */
  public static Thread lasting(String name, Runnable work) {
    // Otherwise it would be a daemon when a daemon makes it.
    return watched(Thread.ofPlatform().daemon(false).name(name).unstarted(work));
  }

  /** A lasting thread, started. */
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
