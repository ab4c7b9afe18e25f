package gilmok.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * Many threads get, change and forget a few keys. A get that begins after a {@code forget} returned
 * never answers an older value. Without a {@code forget}, loads of a key never overlap in a
 * process.
 */
@Tag("server")
@Timeout(120)
final class SingleFlightCacheRace {
  private static final int KEYS = 3;
  private static final int THREADS = 6;
  private static final int STEPS = 3_000;

  /** Values expire so soon that nearly every interleaving occurs. */
  private static final CacheConfig CONFIG =
      new CacheConfig(
          1 << 20,
          Duration.ofNanos(300_000),
          Duration.ofNanos(300_000),
          Duration.ofSeconds(1),
          64,
          64,
          Duration.ofMillis(20),
          Duration.ofMillis(1));

  /** A lease longer than a load can take on any machine. */
  private static final CacheConfig LONG_LEASE =
      new CacheConfig(
          1 << 20,
          CONFIG.ttl(),
          CONFIG.staleMax(),
          CONFIG.staleIfError(),
          64,
          64,
          Duration.ofMinutes(5),
          CONFIG.sharedTimeout());

  private final AtomicLongArray source = new AtomicLongArray(KEYS);
  private final AtomicIntegerArray under = new AtomicIntegerArray(KEYS);
  private final AtomicInteger overlaps = new AtomicInteger();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  private SingleFlightCache<String> cache(@Nullable SharedTier sharedTier) {
    return new SingleFlightCache<>(
        "race",
        CONFIG,
        this::load,
        new Texts(),
        sharedTier,
        new Meters(),
        CacheEnvironment.real("race"));
  }

  private String load(String key) {
    int k = Integer.parseInt(key);
    if (under.incrementAndGet(k) > 1) {
      overlaps.incrementAndGet();
    }
    String value = Long.toString(source.get(k));
    if (ThreadLocalRandom.current().nextInt(4) == 0) {
      LockSupport.parkNanos(1);
    }
    under.decrementAndGet(k);
    return value;
  }

  @RepeatedTest(3)
  void get_afterAForget_isWhatTheSourceHasNow() throws Exception {
    run(List.of(cache(null)), 10);
    assertThat(faults).isEmpty();
  }

  @RepeatedTest(3)
  void get_afterAForget_isWhatTheSourceHasNow_withOthersThatFailAtTimes() throws Exception {
    Random random = new Random(7);
    MemoryShared shared = new MemoryShared(System::nanoTime, CONFIG, () -> random.nextInt(20) == 0);
    run(List.of(cache(shared), cache(shared), cache(shared)), 10);
    assertThat(faults).isEmpty();
  }

  @RepeatedTest(3)
  void get_withoutAForget_loadsNeverOverlap() throws Exception {
    run(List.of(cache(null)), Integer.MAX_VALUE);
    assertThat(faults).isEmpty();
    assertThat(overlaps).hasValue(0);
  }

  @RepeatedTest(3)
  void get_withoutAForget_loadsNeverOverlapInAFleet() throws Exception {
    MemoryShared shared = new MemoryShared(System::nanoTime, LONG_LEASE);
    List<SingleFlightCache<String>> caches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      caches.add(
          new SingleFlightCache<>(
              "race",
              LONG_LEASE,
              this::load,
              new Texts(),
              shared,
              new Meters(),
              CacheEnvironment.real("race")));
    }
    run(caches, Integer.MAX_VALUE);
    assertThat(faults).isEmpty();
    assertThat(overlaps).hasValue(0);
  }

  /**
   * @param changeEvery one step in this many changes the source
   */
  private void run(List<SingleFlightCache<String>> caches, int changeEvery) throws Exception {
    CountDownLatch ended = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      SingleFlightCache<String> cache = caches.get(i % caches.size());
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  steps(cache, changeEvery);
                } catch (Exception failed) {
                  faults.add(failed.toString());
                } finally {
                  ended.countDown();
                }
              });
    }
    assertThat(ended.await(100, TimeUnit.SECONDS)).isTrue();
  }

  private void steps(SingleFlightCache<String> cache, int changeEvery) throws Exception {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int step = 0; step < STEPS; step++) {
      int k = random.nextInt(KEYS);
      String key = Integer.toString(k);
      if (changeEvery < Integer.MAX_VALUE && random.nextInt(changeEvery) == 0) {
        long least = source.incrementAndGet(k);
        cache.forget(key);
        check(key, least, cache.now(key));
        check(key, least, asked(cache, key));
      } else if (asked(cache, key) == null) {
        faults.add(key + " not answered");
      }
    }
  }

  private @Nullable String asked(SingleFlightCache<String> cache, String key) throws Exception {
    return switch (cache.get(key).get(60, TimeUnit.SECONDS)) {
      case LoadResult.Value<String>(String value) -> value;
      case LoadResult.Busy<String> _ -> null;
      case LoadResult.Failed<String>(var cause) -> throw cause;
    };
  }

  private void check(String key, long least, @Nullable String value) {
    if (value != null && Long.parseLong(value) < least) {
      faults.add(key + ": " + value + " after a change to " + least);
    }
  }
}
