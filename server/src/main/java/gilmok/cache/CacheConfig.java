package gilmok.cache;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * Bounds and times of a {@link SingleFlightCache}. Immutable.
 *
 * @param bytesMax about how much memory the entries of this process may take
 * @param ttl how long a value is fresh after it was loaded
 * @param staleMax how long an expired value is still answered while a new one is loaded
 * @param staleIfError how long an expired value is answered if the source fails; includes {@code
 *     staleMax}
 * @param loadsMax most loads in flight in this process, background refreshes included
 * @param waitersMax most callers that wait for loads of others, over all keys
 * @param leaseTimeout how long one process may load while the others wait. Longer than a load
 *     takes; also the delay that a process costs the others if it dies while it loads.
 * @param sharedTimeout how long Redis may take to answer before a load goes on without it
 */
public record CacheConfig(
    long bytesMax,
    Duration ttl,
    Duration staleMax,
    Duration staleIfError,
    int loadsMax,
    int waitersMax,
    Duration leaseTimeout,
    Duration sharedTimeout) {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** The same configuration with a {@code ttl} of at most {@code longest}. */
  public CacheConfig keptAtMost(Duration longest) {
    Duration kept = ttl.compareTo(longest) < 0 ? ttl : longest;
    return new CacheConfig(
        bytesMax, kept, staleMax, staleIfError, loadsMax, waitersMax, leaseTimeout, sharedTimeout);
  }

  /**
   * Reads the settings of one cache.
   *
   * @param prefix the beginning of its keys, as in {@code missions.cache}
   */
  public static CacheConfig from(Settings settings, String prefix) {
    CacheConfig config =
        new CacheConfig(
            settings.bytes(prefix + ".bytes-max", "64 MiB", 1 << 16, 1L << 40),
            settings.duration(prefix + ".ttl", "2 min", Duration.ofMillis(100), DAY),
            settings.duration(prefix + ".stale-max", "1 min", Duration.ZERO, DAY),
            settings.duration(
                prefix + ".stale-if-error", "1 h", Duration.ZERO, Duration.ofDays(30)),
            settings.number(prefix + ".loads-max", 256, 1, 100_000),
            settings.number(prefix + ".waiters-max", 10_000, 0, 1_000_000),
            settings.duration(prefix + ".lease-timeout", "3 s", MILLI, Duration.ofMinutes(10)),
            settings.duration(prefix + ".shared-timeout", "100 ms", MILLI, Duration.ofMinutes(1)));
    if (config.staleIfError.compareTo(config.staleMax) < 0) {
      settings.problem(prefix + ".stale-if-error: must not be less than " + prefix + ".stale-max");
    }
    return config;
  }
}
