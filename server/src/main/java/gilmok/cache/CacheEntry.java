package gilmok.cache;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The cached state of one key: its value, its times and its last failures. The table in
 * package-info lists the states. Times are readings of a monotonic clock in nanoseconds; only their
 * differences mean anything. Immutable.
 *
 * @param value null when the source has failed and there was no value before
 * @param version the value's version in the shared tier
 * @param deltaNanos how long the load of the value took
 * @param freshUntil when the value expires
 * @param answerUntil until when the value is answered without waiting for a load
 * @param retryAt the source is not called before this time
 * @param failures the number of consecutive failures
 * @param cause the last failure; null when no load has failed since the value was loaded
 * @param weight about how many bytes the entry takes
 */
record CacheEntry<V>(
    @Nullable V value,
    long version,
    long deltaNanos,
    long freshUntil,
    long answerUntil,
    long retryAt,
    int failures,
    @Nullable IOException cause,
    int weight) {
  /** Caffeine's node, the slot in its table, the key's object and this record. */
  private static final int OWN_BYTES = 256;

  /** An exception with its stack trace. */
  private static final int CAUSE_BYTES = 2048;

  /** The smallest random number above 0 is 2^-53; its -ln is less than this. */
  private static final int LOG_MAX = 37;

  /**
   * How long before {@code freshUntil} an early refresh first becomes possible. Before that, no
   * random number makes {@link #isEarly} true.
   */
  long earlyNanos() {
    return LOG_MAX * Math.min(deltaNanos, Long.MAX_VALUE / 64);
  }

  /** An entry for a value that was loaded just now. */
  static <V> CacheEntry<V> loaded(LoadedValue<V> loaded, long staleNanos, long now) {
    long freshUntil = now + loaded.freshNanos();
    return new CacheEntry<>(
        loaded.value(),
        loaded.version(),
        loaded.deltaNanos(),
        freshUntil,
        freshUntil + staleNanos,
        now,
        0,
        null,
        loaded.size());
  }

  /** An entry for a key that has no value and whose load failed. */
  static <V> CacheEntry<V> failed(String key, IOException cause, long retryAt, int failures) {
    int weight = size(key, CAUSE_BYTES);
    return new CacheEntry<>(
        null, SharedTier.NONE, 0, retryAt, retryAt, retryAt, failures, cause, weight);
  }

  /** This entry after another load failed; it keeps its value. */
  CacheEntry<V> failed(IOException why, long nextRetryAt, int failuresNow, long nextAnswerUntil) {
    return new CacheEntry<>(
        value,
        version,
        deltaNanos,
        freshUntil,
        nextAnswerUntil,
        nextRetryAt,
        failuresNow,
        why,
        cause == null ? weight + CAUSE_BYTES : weight);
  }

  /** About how many bytes an entry takes, its value included. */
  static int size(String key, int valueBytes) {
    long size = (long) OWN_BYTES + 2L * key.length() + Math.max(0, valueBytes);
    return (int) Math.min(size, Integer.MAX_VALUE - CAUSE_BYTES);
  }

  /** The value if it can be answered without waiting for a load; else null. */
  @Nullable V answered(long now) {
    return now - answerUntil < 0 ? value : null;
  }

  /** Whether the back-off after a failure is not over yet: the source is not called. */
  boolean isResting(long now) {
    return now - retryAt < 0;
  }

  /** How many nanoseconds the value stays fresh; 0 or less when it has expired. */
  long left(long now) {
    return freshUntil - now;
  }

  /**
   * Whether to refresh the value before it expires. Each caller decides at random (XFetch).
   *
   * <p>Vattani, Chierichetti, Lowenstein: Optimal Probabilistic Cache Stampede Prevention, PVLDB 8
   * (8), 2015: {@code now - delta * beta * ln(rand()) >= expiry}, with {@code beta} 1. The longer a
   * load takes, the earlier a refresh begins. Of many callers one is early enough, so that nobody
   * sees the value expire.
   *
   * @param chance a random number from 0, inclusive, to 1, exclusive
   */
  boolean isEarly(long now, double chance) {
    return -deltaNanos * Math.log(1 - chance) >= left(now);
  }
}
