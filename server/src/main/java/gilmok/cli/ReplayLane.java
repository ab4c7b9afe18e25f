package gilmok.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection's way: the batch being filled, a few that wait, and one request in flight, so that
 * what goes in one lane arrives in order.
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

  /** A lane; whoever waits at it gives up once {@code isOver}. */
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

  /** Whether a batch is being filled, and has been since {@code nanos} or earlier. */
  boolean isOpenSince(long nanos) {
    return !open.isEmpty() && openSince - nanos <= 0;
  }

  /** Hands the batch being filled over as it is; waits while the lane is full. */
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

  /** Nothing more will come. */
  void close() throws InterruptedException {
    flush();
    closed = true;
  }

  /** The next batch; null when there is none and none will come, or when all is over. */
  @Nullable UploadBatch take() throws InterruptedException {
    while (!isOver.getAsBoolean()) {
      // Asked before looking: what was put in before the closing is then seen.
      boolean last = closed;
      UploadBatch batch = waiting.poll(last ? 0 : LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (batch != null || last) {
        return batch;
      }
    }
    return null;
  }
}
