package gilmok.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The system's time; waits end early after {@link #stop}. */
final class StoppableWatch implements Watch {
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Ends every wait, from now on. */
  void stop() {
    stopped.countDown();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public boolean rest(long nanos) throws InterruptedException {
    return !stopped.await(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean isStopped() {
    return stopped.getCount() == 0;
  }
}
