package gilmok.cache;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One load of a key, from its start until it has landed: until its result is in the cache and its
 * callers are answered. Guarded by the table of flights: fields change only within the table's step
 * for the key. {@link #isCut} can be read from any thread.
 */
final class InFlightLoad<V> {
  final String key;
  final @Nullable CacheEntry<V> known;

  /** Completed with the result, never with an exception. */
  final CompletableFuture<LoadResult<V>> landed = new CompletableFuture<>();

  private final int askers;

  /** How many callers wait, apart from the one that began the load. */
  int waiters;

  /** The token of the lease, or {@link SharedTier#NONE}. Only for the thread that loads. */
  long token = SharedTier.NONE;

  /** Whether the key was forgotten after the load began. Then its result is not kept. */
  volatile boolean isCut;

  /**
   * A load that has not begun.
   *
   * @param known the key's entry when the load was created; null if there was none
   * @param askers how many callers it was created for: 1, or 0 for a refresh in the background
   */
  InFlightLoad(String key, @Nullable CacheEntry<V> known, int askers) {
    this.key = key;
    this.known = known;
    this.askers = askers;
  }

  /** How many callers are answered with its result. */
  int askers() {
    return askers + waiters;
  }
}
