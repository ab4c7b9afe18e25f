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
 * @param keep {@code missions.keep}: how long after its end a mission is kept, with the progress in
 *     it; zero: for ever
 */
public record MissionsConfig(
    Duration staleWhileRevalidate,
    Duration keptAfterEnd,
    long bytesMax,
    int ridersMax,
    int atWorkMax,
    Duration keep,
    SettlingConfig settling,
    CacheConfig cache) {
  private static final Duration KEEP_MIN = Duration.ofDays(31);
  private static final Duration KEEP_MAX = Duration.ofDays(3650);

  /** No cache has what was read of a mission longer than that after it could be settled last. */
  private static final Duration CACHED_MAX = Duration.ofDays(1);

  /** The same configuration with values cached for at most {@code longest}, in Redis too. */
  public MissionsConfig cachedAtMost(Duration longest) {
    return new MissionsConfig(
        staleWhileRevalidate,
        keptAfterEnd,
        bytesMax,
        ridersMax,
        atWorkMax,
        keep,
        settling,
        cache.keptAtMost(longest));
  }

  /** The same, with nothing archived or removed. */
  public MissionsConfig keepingAll() {
    return new MissionsConfig(
        staleWhileRevalidate,
        keptAfterEnd,
        bytesMax,
        ridersMax,
        atWorkMax,
        Duration.ZERO,
        settling,
        cache);
  }

  /**
   * How long missions are kept after a reload: as long as it says, but what can still be settled
   * stays, as {@code missions.kept-after-end} changes at a start only.
   */
  public Duration keep(MissionsConfig reloaded) {
    Duration wanted = reloaded.keep;
    Duration least = keptAfterEnd.plus(CACHED_MAX);
    return wanted.isZero() || wanted.compareTo(least) >= 0 ? wanted : least;
  }

  /** Reads the keys {@code missions.*}. */
  public static MissionsConfig from(Settings settings) {
    Duration keptAfterEnd =
        settings.duration("missions.kept-after-end", "30 d", Duration.ZERO, Duration.ofDays(3650));
    Duration keep = settings.duration("missions.keep", "0 s", Duration.ZERO, KEEP_MAX);
    if (!keep.isZero() && keep.compareTo(KEEP_MIN) < 0) {
      settings.problem("missions.keep: less than 31 d; 0 s is for ever");
    } else if (!keep.isZero() && keep.compareTo(keptAfterEnd.plus(CACHED_MAX)) < 0) {
      settings.problem(
          "missions.keep: must be at least 1 d longer than missions.kept-after-end, in which"
              + " missions can still be settled; 0 s is for ever");
    }
    return new MissionsConfig(
        settings.duration(
            "missions.stale-while-revalidate", "60 s", Duration.ZERO, Duration.ofDays(1)),
        keptAfterEnd,
        settings.bytes("missions.bytes-max", "16 MiB", 1 << 16, 1L << 30),
        settings.number("missions.riders-max", 500_000, 1, 100_000_000),
        settings.number("missions.concurrency-max", 256, 2, 100_000),
        keep,
        SettlingConfig.from(settings),
        CacheConfig.from(settings, "missions.cache"));
  }
}
