package gilmok.sinks;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Saves a sink's checkpoint, and says why that cannot be done. If somebody waits for the sink, the
 * loop does not wait for these writes: another thread does them, one save at a time.
 *
 * <p>Its faults may be read by any thread.
 */
final class CheckpointSaves {
  private final BatchSenderContext means;
  private final SinkRest rest;
  private final AtomicBoolean isSaving = new AtomicBoolean();
  private volatile @Nullable String fault;
  private volatile long faultAtMillis;

  CheckpointSaves(BatchSenderContext means, SinkRest rest) {
    this.means = means;
    this.rest = rest;
  }

  /** Why the cursor could not be saved; null when it was. */
  @Nullable String fault() {
    return fault;
  }

  /** When the cursor could not be saved, epoch ms. */
  long faultAtMillis() {
    return faultAtMillis;
  }

  /** Saves on another thread, unless it is still at it. */
  void saveApart(Executor executor) {
    if (isSaving.compareAndSet(false, true)) {
      executor.execute(
          () -> {
            try {
              save();
            } catch (InterruptedException stopped) {
              Thread.currentThread().interrupt();
            } finally {
              isSaving.set(false);
            }
          });
    }
  }

  /** Saves now. */
  void save() throws InterruptedException {
    long version = means.flow().version();
    boolean isSaved = false;
    try {
      isSaved = means.deadLetters().putNoted();
      means.cursor().save();
      fault = null;
    } catch (IOException | RuntimeException cannot) {
      isSaved = false;
      faultAtMillis = means.flow().nowMillis();
      fault = "the cursor cannot be saved: " + cannot.getMessage();
    }
    rest.saved(version, isSaved);
  }
}
