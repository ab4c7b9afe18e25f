package gilmok.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gilmok.observe.Meters;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache with single flight: at most one load of a key at a time. package-info has the design.
 * Thread-safe. Nothing here blocks: every load runs on a thread of its own. Keys are texts; their
 * bytes count in {@code bytesMax}.
 *
 * <p>A key's state, its entry and its flight, changes only within one step of the table of flights
 * for that key. Caffeine's lock is taken within such a step, never around one.
 */
public final class SingleFlightCache<V> {
  private static final Duration BACK_OFF_MIN = Duration.ofMillis(250);
  private static final Duration BACK_OFF_MAX = Duration.ofSeconds(15);
  private static final int BACK_OFF_STEPS = 6;

  /**
   * How much later than configured a value can expire, because of clock drift and network delays.
   */
  private static final Duration SLACK = Duration.ofSeconds(5);

  private final CacheConfig config;
  private final long staleNanos;
  private final long ifErrorNanos;
  private final CacheEnvironment around;
  private final LongSupplier nanos;
  private final Cache<String, CacheEntry<V>> entries;
  private final ConcurrentHashMap<String, InFlightLoad<V>> flights = new ConcurrentHashMap<>();
  private final Semaphore loads;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Tombstones tombstones;
  private final ChangeNotices notices;
  private final LoadStrategy<V> loadStrategy;
  private final CacheMeter meter;

  /**
   * An empty cache.
   *
   * @param name its label in the metrics
   * @param sharedTier the cache shared with other processes; null when there is none
   */
  public SingleFlightCache(
      String name,
      CacheConfig config,
      CacheSource<V> source,
      Codec<V> codec,
      @Nullable SharedTier sharedTier,
      Meters meters,
      CacheEnvironment around) {
    this.config = config;
    this.around = around;
    staleNanos = config.staleMax().toNanos();
    ifErrorNanos = config.staleIfError().toNanos();
    nanos = around.nanos();
    entries =
        Caffeine.newBuilder()
            .maximumWeight(config.bytesMax())
            .weigher((String key, CacheEntry<V> entry) -> entry.weight())
            .executor(Runnable::run)
            .build();
    loads = new Semaphore(config.loadsMax());
    tombstones =
        new Tombstones(nanos, config.leaseTimeout().plus(config.ttl()).plus(SLACK).toNanos());
    notices = new ChangeNotices(sharedTier, tombstones, around, config.loadsMax());
    meter = new CacheMeter(meters, name);
    loadStrategy = new LoadStrategy<>(config, source, codec, sharedTier, tombstones, meter, around);
    show();
  }

  /**
   * The value if it can be answered at once, fresh or stale; else null. Starts a refresh in the
   * background if one is due.
   */
  public @Nullable V now(String key) {
    CacheEntry<V> entry = entries.getIfPresent(key);
    if (entry == null) {
      return null;
    }
    long now = nanos.getAsLong();
    V value = entry.answered(now);
    if (value == null) {
      return null;
    }
    meter.hits.increment();
    if (entry.left(now) <= entry.earlyNanos()) {
      due(key, entry, now);
    }
    return value;
  }

  private void due(String key, CacheEntry<V> entry, long now) {
    boolean old = entry.left(now) <= 0;
    if (old) {
      meter.stale.increment();
    }
    if (!entry.isResting(now) && (old || entry.isEarly(now, around.chance().getAsDouble()))) {
      refresh(key, entry, old);
    }
  }

  private void refresh(String key, CacheEntry<V> entry, boolean old) {
    if (flights.containsKey(key)) {
      return;
    }
    if (loads.availablePermits() == 0) {
      meter.skipped.increment();
      return;
    }
    InFlightLoad<V> mine = new InFlightLoad<>(key, entry, 0);
    InFlightLoad<V> under =
        flights.compute(
            key,
            (k, other) ->
                // Another load may have landed since this caller found the entry due.
                other == null && isKept(k, entry) && loads.tryAcquire() ? mine : other);
    if (under == mine) {
      if (!old) {
        meter.early.increment();
      }
      begin(mine);
    }
  }

  /** Whether this very entry is cached. Compares identity, as two loads can bring equal values. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isKept(String key, CacheEntry<V> entry) {
    return entries.getIfPresent(key) == entry;
  }

  /**
   * The value, at once or after its load. The future never completes with an exception. Its
   * dependents run on the thread of the load.
   */
  public CompletableFuture<LoadResult<V>> get(String key) {
    V value = now(key);
    if (value != null) {
      return CompletableFuture.completedFuture(new LoadResult.Value<>(value));
    }
    meter.misses.increment();
    return landed(key);
  }

  private CompletableFuture<LoadResult<V>> landed(String key) {
    Asker<V> asker = new Asker<>();
    flights.compute(
        key,
        (k, other) -> {
          if (other != null) {
            asker.load = join(other) ? other : null;
            return other;
          }
          CacheEntry<V> entry = entries.getIfPresent(k);
          asker.result = entry == null ? null : known(entry);
          if (asker.result != null || !loads.tryAcquire()) {
            return null;
          }
          asker.load = new InFlightLoad<>(k, entry, 1);
          asker.begins = true;
          return asker.load;
        });
    InFlightLoad<V> load = asker.load;
    if (load != null) {
      CompletableFuture<LoadResult<V>> landed = load.landed.copy();
      if (asker.begins) {
        begin(load);
      }
      return landed;
    }
    LoadResult<V> result = asker.result;
    if (result == null) {
      meter.busy.increment();
      result = new LoadResult.Busy<>();
    }
    return CompletableFuture.completedFuture(result);
  }

  /**
   * What a step of the table found for a caller: a result, or a flight to wait for. Neither means
   * busy.
   */
  private static final class Asker<V> {
    private @Nullable LoadResult<V> result;
    private @Nullable InFlightLoad<V> load;
    private boolean begins;
  }

  private boolean join(InFlightLoad<V> load) {
    if (waiting.incrementAndGet() > config.waitersMax()) {
      waiting.decrementAndGet();
      return false;
    }
    meter.waits.increment();
    load.waiters++;
    return true;
  }

  /**
   * The result without a load: a value that has just landed, or a failure whose back-off is not
   * over.
   */
  private @Nullable LoadResult<V> known(CacheEntry<V> entry) {
    long now = nanos.getAsLong();
    V value = entry.answered(now);
    if (value != null) {
      return new LoadResult.Value<>(value);
    }
    IOException cause = entry.cause();
    return cause != null && entry.isResting(now) ? new LoadResult.Failed<>(cause) : null;
  }

  private void begin(InFlightLoad<V> load) {
    try {
      around.loaders().execute(() -> fly(load));
    } catch (RejectedExecutionException | OutOfMemoryError none) {
      land(load, null, new IOException("no thread to load with", none));
      loads.release();
    }
  }

  private void fly(InFlightLoad<V> load) {
    try {
      loadStrategy.share(load, flown(load));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      loads.release();
    }
  }

  private @Nullable LoadedValue<V> flown(InFlightLoad<V> load) {
    LoadedValue<V> loaded = null;
    IOException why = new IOException("the load ended early");
    try {
      loaded = loadStrategy.load(load);
    } catch (IOException failed) {
      why = failed;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      why = new InterruptedIOException("the load was interrupted");
    } catch (RuntimeException | Error bug) {
      why = new LoadFailure(bug);
    } finally {
      land(load, loaded, why);
    }
    return loaded;
  }

  private void land(InFlightLoad<V> load, @Nullable LoadedValue<V> loaded, IOException why) {
    long now = nanos.getAsLong();
    flights.compute(
        load.key,
        (key, current) -> {
          if (current != load) {
            return current; // forgotten since it began: the result is not kept
          }
          entries.put(
              key,
              loaded != null ? CacheEntry.loaded(loaded, staleNanos, now) : failed(load, why, now));
          return null;
        });
    waiting.addAndGet(-load.waiters);
    load.landed.complete(loaded != null ? new LoadResult.Value<>(loaded.value()) : old(load, why));
  }

  /**
   * The entry after a failure: the old value with a longer time to be answered, up to {@code
   * staleIfError}, and the next back-off.
   */
  private CacheEntry<V> failed(InFlightLoad<V> load, IOException why, long now) {
    CacheEntry<V> old = load.known;
    int failures = old == null ? 1 : Math.min(old.failures() + 1, BACK_OFF_STEPS + 1);
    long most = Math.min(BACK_OFF_MIN.toNanos() << (failures - 1), BACK_OFF_MAX.toNanos());
    long retryAt = now + (long) (most * (0.5 + around.chance().getAsDouble() / 2));
    if (old == null || old.value() == null) {
      return CacheEntry.failed(load.key, why, retryAt, failures);
    }
    long until = now + Math.max(old.answerUntil() - now, Math.max(staleNanos, retryAt - now));
    long untilMost = old.freshUntil() + ifErrorNanos;
    return old.failed(why, retryAt, failures, untilMost - until < 0 ? untilMost : until);
  }

  /**
   * The result of a failed load: the old value if there is one that can be answered, else the
   * failure.
   */
  private LoadResult<V> old(InFlightLoad<V> load, IOException why) {
    CacheEntry<V> old = load.known;
    V value = old == null ? null : old.value();
    if (old == null || value == null || old.left(nanos.getAsLong()) + ifErrorNanos <= 0) {
      return new LoadResult.Failed<>(why);
    }
    meter.stale.add(load.askers());
    return new LoadResult.Value<>(value);
  }

  /**
   * Removes a key after its source has changed. Callers that ask from now on, on this node, get no
   * value that was loaded before.
   */
  public void forget(String key) {
    meter.forgotten.increment();
    Tombstones.Mark mark = notices.mark(key); // before the next load begins
    cut(key);
    notices.send(key, mark);
  }

  /** Removes the entry of a key, and keeps a load that has begun from leaving another. */
  private void cut(String key) {
    flights.compute(
        key,
        (k, load) -> {
          if (load != null) {
            load.isCut = true;
          }
          entries.invalidate(k);
          return null;
        });
  }

  /** The notices of keys that were forgotten. */
  ChangeNotices notices() {
    return notices;
  }

  /**
   * Removes a key that another process has changed. Callers that ask from now on get no value that
   * was loaded before.
   */
  void drop(String key) {
    meter.dropped.increment();
    cut(key);
  }

  /** Removes all keys, as any of them may have been changed by another process. */
  void dropAll() {
    meter.droppedAll.increment();
    flights.keySet().forEach(this::cut); // first: those that land meanwhile are removed below
    entries.invalidateAll();
  }

  private void show() {
    meter.gauge("entries", "Keys cached in this process.", entries::estimatedSize);
    meter.gauge(
        "bytes",
        "Approximate memory of the cached values.",
        this::bytes,
        (double) config.bytesMax());
    int loadsMax = config.loadsMax();
    meter.gauge("loading", "Loads under way.", () -> loadsMax - loads.availablePermits(), loadsMax);
    meter.gauge(
        "waiting",
        "Requests that wait for the load of another.",
        waiting::get,
        config.waitersMax());
    meter.gauge(
        "tombstones",
        "Keys changed here of which Redis or other nodes may still have the old value.",
        tombstones::size,
        Tombstones.MARKS_MAX);
  }

  private long bytes() {
    return entries
        .policy()
        .eviction()
        .map(eviction -> eviction.weightedSize().orElse(0))
        .orElse(0L);
  }
}
