package gilmok.cache;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key; the table in package-info has its states. Times are of the clock that
 * only goes forward, and are compared by their difference. Immutable.
 *
 * @param value null when the source has failed and nothing was there before
 * @param version under which other processes know it
 * @param deltaNanos how long its load took
 * @param answerUntil until when the value is answered at once
 * @param retryAt the source is not asked before
 * @param failures how often in a row it failed
 * @param cause the last failure; null when there was none since the value was loaded
 * @param weight about how many bytes all this takes
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
  /** Caffeine's node, its table's slot, the key's object and this one. */
  private static final int OWN_BYTES = 256;

  /** An exception with its stack's trace. */
  private static final int CAUSE_BYTES = 2048;

  /** The least chance but 0 is 2^-53, and -ln of it is less than this. */
  private static final int LOG_MAX = 37;

  /** So long before {@code freshUntil} no number that chance can bring is early. */
  long earlyNanos() {
    return LOG_MAX * Math.min(deltaNanos, Long.MAX_VALUE / 64);
  }

  /** A value that has just landed. */
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

  /** A key of which nothing is known but that its load failed. */
  static <V> CacheEntry<V> failed(String key, IOException cause, long retryAt, int failures) {
    int weight = size(key, CAUSE_BYTES);
    return new CacheEntry<>(
        null, SharedTier.NONE, 0, retryAt, retryAt, retryAt, failures, cause, weight);
  }

  /** The same after another load failed. */
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

  /** About how many bytes an entry takes whose value takes that many. */
  static int size(String key, int valueBytes) {
    long size = (long) OWN_BYTES + 2L * key.length() + Math.max(0, valueBytes);
    return (int) Math.min(size, Integer.MAX_VALUE - CAUSE_BYTES);
  }

  /** The value, if it is answered at once. */
  @Nullable V answered(long now) {
    return now - answerUntil < 0 ? value : null;
  }

  /** Whether the source failed so short a time ago that it is not asked. */
  boolean isResting(long now) {
    return now - retryAt < 0;
  }

  /** How long the value is fresh from now on; not positive when it is not. */
  long left(long now) {
    return freshUntil - now;
  }

  /**
   * Whether to load anew before the value is old: XFetch, which lets each asker decide by chance.
   *
   * <p>Vattani, Chierichetti, Lowenstein: Optimal Probabilistic Cache Stampede Prevention, PVLDB 8
   * (8), 2015: {@code now - delta * beta * ln(rand()) >= expiry}, with {@code beta} 1. The longer a
   * load takes, the earlier it begins; of many askers one is early enough, so that nobody sees the
   * expiry.
   *
   * @param chance from 0, inclusive, to 1, exclusive
   */
  boolean isEarly(long now, double chance) {
    return -deltaNanos * Math.log(1 - chance) >= left(now);
  }
}
