package gilmok.http;

import gilmok.background.BackgroundThread;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** On what threads the work of requests runs that have left their event loop. */
public enum OffloadThreads {
  /** A virtual thread each: costs little, however many wait for something in this process. */
  VIRTUAL,

  /**
   * Platform threads, which are kept for a while: for work that waits for the answers of a socket.
   * The kernel wakes such a thread itself, while a virtual thread is woken by way of two others,
   * each time a part of an answer has arrived. What comes while {@value #PLATFORM_MAX} of them work
   * gets a virtual thread: a slow database would else cost a stack for each request.
   */
  PLATFORM;

  /** Most platform threads of one part. */
  static final int PLATFORM_MAX = 64;

  private static final long KEPT_SECONDS = 60;

  /**
   * Runs each work at once, on a thread of that name.
   *
   * @param most how many are at work at a time
   */
  Executor of(String name, int most) {
    ThreadFactory virtuals = BackgroundThread.virtuals(name);
    Executor each = work -> virtuals.newThread(work).start();
    return switch (this) {
      case VIRTUAL -> each;
      case PLATFORM ->
          new ThreadPoolExecutor(
              0,
              Math.min(most, PLATFORM_MAX),
              KEPT_SECONDS,
              TimeUnit.SECONDS,
              new SynchronousQueue<>(),
              work -> BackgroundThread.daemon(name, work),
              (work, _) -> each.execute(work));
    };
  }
}
