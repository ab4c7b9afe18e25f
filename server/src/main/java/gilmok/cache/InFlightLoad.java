package gilmok.cache;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One load of a key, from its beginning until it has landed. Guarded by the table of flights: what
 * changes is changed within the table's step for its key only, and {@link #isCut} is read anywhere.
 */
final class InFlightLoad<V> {
  private final String key;
  private final @Nullable CacheEntry<V> known;
  private final CompletableFuture<LoadResult<V>> landed = new CompletableFuture<>();
  private final int askers;
  private int waiters;
  private long token = SharedTier.NONE;
  private volatile boolean cut;

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

  String key() {
    return key;
  }

  @Nullable CacheEntry<V> known() {
    return known;
  }

  /** One more waits. */
  void join() {
    waiters++;
  }

  /** How many wait, apart from who began it. */
  int waiters() {
    return waiters;
  }

  /** How many are answered with what it brings. */
  int askers() {
    return askers + waiters;
  }

  /** The key was forgotten: nothing is kept of what this brings. */
  void cut() {
    cut = true;
  }

  /** Whether the key was forgotten since it began. */
  boolean isCut() {
    return cut;
  }

  /** It holds a lease. For the thread that loads, as is {@link #token}. */
  void lease(long leased) {
    token = leased;
  }

  /** The lease's token, or none. */
  long token() {
    return token;
  }

  /** What comes of it; never an exception. */
  CompletableFuture<LoadResult<V>> landed() {
    return landed;
  }
}
