package gilmok.sinks;

import gilmok.log.Log;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until the log has on disk what an account says of it. A sink that is awaited may have
 * settled records that are still being forced. If its note were durable before them, a power loss
 * could leave more delivered than accepted, and a cursor behind the log's end. Stateless.
 */
final class DurableEnd {
  private static final long LOOK_NANOS = 100_000;
  private static final long SECONDS_MAX = 5;

  private DurableEnd() {}

  /**
   * Waits until everything up to that sequence is durable. Returns at once for a sink that reads
   * only what is.
   *
   * @throws IOException when the disk does not answer
   */
  static void await(Log log, long sequence) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (log.durable() < sequence) {
      if (System.nanoTime() - until > 0 || log.isFailed()) {
        throw new IOException("the log's disk has not answered");
      }
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
