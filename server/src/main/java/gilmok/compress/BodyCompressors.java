package gilmok.compress;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The packers of threads that are no event loops, lent for one body each. There are no more than
 * could be at work at once: virtual threads do not give up their carrier while they pack.
 * Thread-safe; never waits.
 */
public final class BodyCompressors implements AutoCloseable {
  private final int max;
  private final BlockingQueue<BodyCompressor> free;
  private final AtomicInteger made = new AtomicInteger();
  private volatile boolean closed;

  public BodyCompressors(int max) {
    this.max = max;
    this.free = new ArrayBlockingQueue<>(max);
  }

  /** One to be given back; null when all are lent, or it is over. */
  @Nullable
  public BodyCompressor take() {
    if (closed) {
      return null;
    }
    BodyCompressor one = free.poll();
    if (one != null) {
      return one;
    }
    if (made.incrementAndGet() <= max) {
      return new BodyCompressor();
    }
    made.decrementAndGet();
    return null;
  }

  public void giveBack(BodyCompressor bodyCompressor) {
    if (!free.offer(bodyCompressor)) {
      throw new IllegalStateException("more came back than were lent");
    }
    if (closed) {
      freeAll();
    }
  }

  /** How many hold native memory, or may. */
  int made() {
    return made.get();
  }

  private void freeAll() {
    for (BodyCompressor one = free.poll(); one != null; one = free.poll()) {
      one.close();
      made.decrementAndGet();
    }
  }

  /** Frees them all; those still lent when they come back. */
  @Override
  public void close() {
    closed = true;
    freeAll();
  }
}
