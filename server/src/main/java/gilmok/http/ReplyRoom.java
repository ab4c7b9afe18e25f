package gilmok.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits until a client has read what was streamed to it. Stateless. */
public final class ReplyRoom {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private ReplyRoom() {}

  /**
   * Waits until the stream can take more; false when the client reads nothing for that long, or
   * either side has ended it. On a virtual thread.
   */
  public static boolean await(ReplyStream reply, Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (!reply.isWritable()) {
      if (reply.isEnded() || System.nanoTime() - until > 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return !reply.isEnded();
  }
}
