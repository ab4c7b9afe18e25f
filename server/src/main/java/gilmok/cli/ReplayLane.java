package gilmok.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection's lane: the batch being filled, a few batches that wait, and one request in
 * flight, so that records arrive in the order in which they were added.
 *
 * <p>The reading thread fills it ({@link #add}, {@link #flush}, {@link #close}); its own thread
 * takes from it ({@link #take}).
 */
final class ReplayLane {
  private static final int WAITING_MAX = 2;
  private static final long LOOK_MILLIS = 50;

  private final BlockingQueue<UploadBatch> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final List<RecordingEntry> open = new ArrayList<>();
  private final int batchMax;
  private final BooleanSupplier isOver;
  private long openSince;
  private volatile boolean closed;

  /** An empty lane; a thread that waits at it gives up once {@code isOver}. */
  ReplayLane(int batchMax, BooleanSupplier isOver) {
    this.batchMax = batchMax;
    this.isOver = isOver;
  }

  /** Adds a record read at {@code nanos}; waits while the lane is full. */
  void add(RecordingEntry entry, long nanos) throws InterruptedException {
    if (!open.isEmpty() && !open.getFirst().path().equals(entry.path())) {
      flush();
    }
    if (open.isEmpty()) {
      openSince = nanos;
    }
    open.add(entry);
    if (open.size() >= batchMax) {
      flush();
    }
  }

  /** Whether a batch has been in filling since {@code nanos} or earlier. */
  boolean isOpenSince(long nanos) {
    return !open.isEmpty() && openSince - nanos <= 0;
  }

  /** Hands over the batch being filled, however full; waits while the lane is full. */
  void flush() throws InterruptedException {
    if (open.isEmpty()) {
      return;
    }
    UploadBatch batch = new UploadBatch(open);
    open.clear();
    boolean taken = false;
    while (!taken && !isOver.getAsBoolean()) {
      taken = waiting.offer(batch, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Flushes, and ends the lane. */
  void close() throws InterruptedException {
    flush();
    closed = true;
  }

  /** The next batch; null when the lane is closed and empty, or when everything is over. */
  @Nullable UploadBatch take() throws InterruptedException {
    while (!isOver.getAsBoolean()) {
      // Read before polling: whatever was put in before the close is then seen.
      boolean last = closed;
      UploadBatch batch = waiting.poll(last ? 0 : LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (batch != null || last) {
        return batch;
      }
    }
    return null;
  }
}
