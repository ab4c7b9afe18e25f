package gilmok.missions;

import gilmok.cache.CacheConfig;
import gilmok.config.Settings;
import java.time.Duration;

/**
 * Limits and times of missions. Immutable.
 *
 * @param staleWhileRevalidate how long an app may show a stale answer while it revalidates
 * @param keptAfterEnd how long after its end a mission can still be settled
 * @param bytesMax most bytes of what riders see of all missions together
 * @param ridersMax most riders that all missions together name
 * @param atWorkMax most requests that use the store at a time; at most half of them reads
 */
public record MissionsConfig(
    Duration staleWhileRevalidate,
    Duration keptAfterEnd,
    long bytesMax,
    int ridersMax,
    int atWorkMax,
    SettlingConfig settling,
    CacheConfig cache) {
  /** The same configuration with values cached for at most {@code longest}, in Redis too. */
  public MissionsConfig cachedAtMost(Duration longest) {
    return new MissionsConfig(
        staleWhileRevalidate,
        keptAfterEnd,
        bytesMax,
        ridersMax,
        atWorkMax,
        settling,
        cache.keptAtMost(longest));
  }

  /** Reads the keys {@code missions.*}. */
  public static MissionsConfig from(Settings settings) {
    return new MissionsConfig(
        settings.duration(
            "missions.stale-while-revalidate", "60 s", Duration.ZERO, Duration.ofDays(1)),
        settings.duration("missions.kept-after-end", "30 d", Duration.ZERO, Duration.ofDays(3650)),
        settings.bytes("missions.bytes-max", "16 MiB", 1 << 16, 1L << 30),
        settings.number("missions.riders-max", 500_000, 1, 100_000_000),
        settings.number("missions.concurrency-max", 256, 2, 100_000),
        SettlingConfig.from(settings),
        CacheConfig.from(settings, "missions.cache"));
  }
}
