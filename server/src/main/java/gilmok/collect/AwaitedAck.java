package gilmok.collect;

import gilmok.observe.PartTimes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An append whose thread waits until it is acknowledged. Of one thread, one that may block. */
final class AwaitedAck extends AckCompletion {
  private static final String PART = "log";

  private final CountDownLatch over = new CountDownLatch(1);

  AwaitedAck(AckRule rule) {
    super(rule);
  }

  @Override
  void over() {
    over.countDown();
  }

  /** Waits for at most that long; returns whether its records were acknowledged. */
  boolean await(long time, TimeUnit unit) throws InterruptedException {
    long began = System.nanoTime();
    try {
      return over.await(time, unit) && by() != null;
    } finally {
      PartTimes.waited(PART, System.nanoTime() - began);
    }
  }
}
