package gilmok.cache;

import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * What a process does for the others when it has changed a key's source: it deletes the shared
 * value, then tells them to drop what they hold in memory. Thread-safe. Only {@link #sendAgain}
 * blocks.
 */
final class ChangeNotices {
  private final @Nullable SharedTier sharedTier;
  private final Tombstones tombstones;
  private final CacheEnvironment around;
  private final Semaphore permits;

  /**
   * @param sharedTier null when there is none: nothing is done then
   * @param most at once
   */
  ChangeNotices(
      @Nullable SharedTier sharedTier, Tombstones tombstones, CacheEnvironment around, int most) {
    this.sharedTier = sharedTier;
    this.tombstones = tombstones;
    this.around = around;
    permits = new Semaphore(most);
  }

  /** Marks a key as changed; null when there are no others. Before the next load begins. */
  Tombstones.@Nullable Mark mark(String key) {
    return sharedTier == null ? null : tombstones.mark(key);
  }

  /**
   * Sends the notice of a marked key, on a thread of its own. Over the bound, or without a thread,
   * the mark remains: the key's next load here deletes the shared value, and {@link #sendAgain}
   * does the rest.
   */
  void send(String key, Tombstones.@Nullable Mark mark) {
    SharedTier others = sharedTier;
    if (others != null && mark != null && permits.tryAcquire()) {
      try {
        around.loaders().execute(() -> sendAndRelease(others, key, mark));
      } catch (RejectedExecutionException | OutOfMemoryError none) {
        permits.release();
      }
    }
  }

  private void sendAndRelease(SharedTier others, String key, Tombstones.Mark mark) {
    try {
      boolean _ = settle(others, key, mark);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      permits.release();
    }
  }

  private boolean settle(SharedTier others, String key, Tombstones.Mark mark)
      throws InterruptedException {
    // Not deleted again if a load has found the mark: the value is its own, or it holds the lease.
    if (!mark.isDeleted() && others.forget(key)) {
      tombstones.deleted(key, mark);
    }
    if (!mark.isDeleted() || !others.tell(key)) {
      return false;
    }
    tombstones.clear(key, mark);
    return true;
  }

  /**
   * Sends what could not be sent: the shared tier was away, or there was no room. Ends with the
   * first call that fails.
   */
  void sendAgain() throws InterruptedException {
    SharedTier others = sharedTier;
    if (others == null) {
      return;
    }
    Tombstones.Mark all = tombstones.allUntold();
    if (all != null && others.tellAll()) {
      tombstones.allTold(all);
    }
    for (Map.Entry<String, Tombstones.Mark> one : tombstones.left().entrySet()) {
      if (!settle(others, one.getKey(), one.getValue())) {
        return;
      }
    }
  }
}
