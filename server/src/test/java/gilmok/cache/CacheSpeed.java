package gilmok.cache;

import gilmok.observe.Meters;
import gilmok.redis.Redis;
import gilmok.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Measures, by hand, the cost of a hit, and the loads of one key that is read 5,000 times a second
 * while it expires again and again: in one process, and in three without and with a shared Redis.
 * The three processes are three caches with clients of their own in this one.
 */
final class CacheSpeed {
  private static final int RATE = 5_000;
  private static final int EXPIRIES = 20;
  private static final Duration TTL = Duration.ofSeconds(1);
  private static final long LOAD_NANOS = 5_000_000;

  private final AtomicInteger loads = new AtomicInteger();

  private CacheSpeed() {}

  /** Prints a line for each measurement. */
  public static void main(String[] args) throws Exception {
    hits();
    System.out.println(new CacheSpeed().expiries(1, null));
    System.out.println(new CacheSpeed().expiries(3, null));
    Path folder = Files.createTempDirectory("cache-speed");
    try (RedisServer server = RedisServer.start(folder)) {
      System.out.println(new CacheSpeed().expiries(3, server));
    }
  }

  private static CacheConfig config() {
    return new CacheConfig(
        1 << 20,
        TTL,
        Duration.ofMinutes(1),
        Duration.ofHours(1),
        64,
        10_000,
        Duration.ofSeconds(3),
        Duration.ofMillis(100));
  }

  private String load(String key) {
    loads.incrementAndGet();
    LockSupport.parkNanos(LOAD_NANOS);
    return key;
  }

  private SingleFlightCache<String> cache(@Nullable SharedTier sharedTier) {
    return new SingleFlightCache<>(
        "speed",
        config(),
        this::load,
        new Texts(),
        sharedTier,
        new Meters(),
        CacheEnvironment.real("speed"));
  }

  private static void hits() {
    CacheSpeed speed = new CacheSpeed();
    CacheConfig config = CacheRig.CONFIG;
    SingleFlightCache<String> cache =
        new SingleFlightCache<>(
            "hits",
            config,
            speed::load,
            new Texts(),
            null,
            new Meters(),
            CacheEnvironment.real("hits"));
    String[] keys = new String[300];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "rider-" + i;
      LoadResult<String> _ = cache.get(keys[i]).join();
    }
    for (int round = 0; round < 5; round++) {
      long began = System.nanoTime();
      int found = 0;
      int asked = 5_000_000;
      for (int i = 0; i < asked; i++) {
        found += cache.now(keys[i % keys.length]) == null ? 0 : 1;
      }
      System.out.printf(
          "hits: %.1f ns each, %d of %d found%n",
          (System.nanoTime() - began) / (double) asked, found, asked);
    }
  }

  private String expiries(int processes, @Nullable RedisServer server) throws Exception {
    List<Redis> clients = new ArrayList<>();
    List<SingleFlightCache<String>> caches = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      RedisTier shared = null;
      if (server != null) {
        Redis redis = new Redis(server.config(Map.of()));
        clients.add(redis);
        shared = new RedisTier(redis, "speed", config());
        boolean _ = shared.forget("warm");
        LockSupport.parkNanos(700_000_000); // for a connection, or a back-off to end
        boolean _ = shared.forget("warm");
      }
      caches.add(cache(shared));
    }
    for (SingleFlightCache<String> cache : caches) {
      LoadResult<String> _ = cache.get("k").join();
    }
    int first = loads.get();
    long began = System.nanoTime();
    long end = began + EXPIRIES * TTL.toNanos() + TTL.toNanos() / 2;
    long between = 1_000_000_000L / RATE;
    List<Long> took = new ArrayList<>();
    int waited = 0;
    for (long due = began; due < end; due += between) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(Math.max(1, due - System.nanoTime()));
      }
      for (SingleFlightCache<String> cache : caches) {
        if (cache.now("k") == null) {
          waited++;
          LoadResult<String> _ = cache.get("k").join();
        }
      }
      took.add(System.nanoTime() - due);
    }
    clients.forEach(Redis::close);
    long[] sorted = took.stream().mapToLong(one -> one).sorted().toArray();
    return "%d processes, %s Redis: %d loads at first, then %d in %d expiries; %d of %s waited;"
            .formatted(
                processes,
                server == null ? "without" : "with",
                first,
                loads.get() - first,
                EXPIRIES,
                waited,
                sorted.length * processes)
        + " p50 %d µs, p99 %d µs, highest %d µs late"
            .formatted(
                sorted[sorted.length / 2] / 1000,
                sorted[sorted.length * 99 / 100] / 1000,
                Arrays.stream(sorted).max().orElse(0) / 1000);
  }
}
