package gilmok.compress;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A pool of compressors for threads that are no event loops; each is lent for one body. There are
 * at most as many as can work at once, as a virtual thread keeps its carrier while it compresses.
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

  /** Lends a compressor; null when all are lent or the pool is closed. */
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

  /** How many compressors were made, and may hold native memory. */
  int made() {
    return made.get();
  }

  private void freeAll() {
    for (BodyCompressor one = free.poll(); one != null; one = free.poll()) {
      one.close();
      made.decrementAndGet();
    }
  }

  /** Frees all compressors; those on loan are freed when they are returned. */
  @Override
  public void close() {
    closed = true;
    freeAll();
  }
}
