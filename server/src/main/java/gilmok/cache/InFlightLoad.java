package gilmok.cache;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One load of a key, from its beginning until it has landed. Guarded by the table of flights: what
 * changes is changed within the table's step for its key only, and {@link #isCut} is read anywhere.
 */
final class InFlightLoad<V> {
  final String key;
  final @Nullable CacheEntry<V> known;

  /** What comes of it; never an exception. */
  final CompletableFuture<LoadResult<V>> landed = new CompletableFuture<>();

  private final int askers;

  /** How many wait, apart from who began it. */
  int waiters;

  /** The lease's token, or none. For the thread that loads. */
  long token = SharedTier.NONE;

  /** Whether the key was forgotten since it began: nothing is kept of what this brings. */
  volatile boolean isCut;

  /**
   * Not begun.
   *
   * @param known what was known when it began
   * @param askers how many it began for: 1, or 0 for a refresh in the background
   */
  InFlightLoad(String key, @Nullable CacheEntry<V> known, int askers) {
    this.key = key;
    this.known = known;
    this.askers = askers;
  }

  /** How many are answered with what it brings. */
  int askers() {
    return askers + waiters;
  }
}
