package gilmok.log;

import gilmok.observe.PartTimes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An append whose thread waits until it is durable. Of one thread; it must be one that may block.
 */
public final class AwaitedAppend extends AppendCompletion {
  private static final String PART = "log";

  private final CountDownLatch durable = new CountDownLatch(1);

  /** An append that is not durable yet. */
  public AwaitedAppend() {}

  @Override
  protected void durable() {
    durable.countDown();
  }

  /** Waits for at most that long; returns whether its records are durable. */
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    long began = System.nanoTime();
    try {
      return durable.await(time, unit);
    } finally {
      PartTimes.waited(PART, System.nanoTime() - began);
    }
  }
}
