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
 * The one call that guards every load: package-info has the design. Thread-safe; nothing here
 * blocks, and every load runs on a thread of its own. Keys are texts, and counted in the bound of
 * the bytes.
 *
 * <p>All that changes for a key (what is kept of it, its flight) changes within one step of the
 * table of flights for that key; Caffeine's lock is taken within such a step, never around one.
 */
public final class Guarded<V> {
  private static final Duration BACK_OFF_MIN = Duration.ofMillis(250);
  private static final Duration BACK_OFF_MAX = Duration.ofSeconds(15);
  private static final int BACK_OFF_STEPS = 6;

  /** How much later than agreed a value can be gone: clocks that run unevenly, and the network. */
  private static final Duration SLACK = Duration.ofSeconds(5);

  private final CacheConfig config;
  private final long staleNanos;
  private final long ifErrorNanos;
  private final @Nullable Shared shared;
  private final Surroundings around;
  private final LongSupplier nanos;
  private final Cache<String, Entry<V>> entries;
  private final ConcurrentHashMap<String, Flight<V>> flights = new ConcurrentHashMap<>();
  private final Semaphore loads;
  private final Semaphore forgettings;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Untrusted untrusted;
  private final Loading<V> loading;
  private final CacheMeter meter;

  /**
   * An empty cache.
   *
   * @param name its label in the metrics
   * @param shared where other processes keep theirs; null when this one is alone
   */
  public Guarded(
      String name,
      CacheConfig config,
      Source<V> source,
      Codec<V> codec,
      @Nullable Shared shared,
      Meters meters,
      Surroundings around) {
    this.config = config;
    this.shared = shared;
    this.around = around;
    staleNanos = config.staleMax().toNanos();
    ifErrorNanos = config.staleIfError().toNanos();
    nanos = around.nanos();
    entries =
        Caffeine.newBuilder()
            .maximumWeight(config.bytesMax())
            .weigher((String key, Entry<V> entry) -> entry.weight())
            .executor(Runnable::run)
            .build();
    loads = new Semaphore(config.loadsMax());
    forgettings = new Semaphore(config.loadsMax());
    untrusted =
        new Untrusted(nanos, config.leaseTimeout().plus(config.ttl()).plus(SLACK).toNanos());
    meter = new CacheMeter(meters, name);
    loading = new Loading<>(config, source, codec, shared, untrusted, meter, around);
    show();
  }

  /** The value if it can be answered at once, fresh or old: refreshed in the background if due. */
  public @Nullable V now(String key) {
    Entry<V> entry = entries.getIfPresent(key);
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

  private void due(String key, Entry<V> entry, long now) {
    boolean old = entry.left(now) <= 0;
    if (old) {
      meter.stale.increment();
    }
    if (!entry.isResting(now) && (old || entry.isEarly(now, around.chance().getAsDouble()))) {
      refresh(key, entry, old);
    }
  }

  private void refresh(String key, Entry<V> entry, boolean old) {
    if (flights.containsKey(key)) {
      return;
    }
    if (loads.availablePermits() == 0) {
      meter.skipped.increment();
      return;
    }
    Flight<V> mine = new Flight<>(key, entry, 0);
    Flight<V> under =
        flights.compute(
            key,
            (k, other) ->
                // Whoever found the entry due may be late: another load has landed since then.
                other == null && isKept(k, entry) && loads.tryAcquire() ? mine : other);
    if (under == mine) {
      if (!old) {
        meter.early.increment();
      }
      begin(mine);
    }
  }

  /** Whether it is that very entry: two loads may well bring the same. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isKept(String key, Entry<V> entry) {
    return entries.getIfPresent(key) == entry;
  }

  /**
   * The value, at once or when it was loaded; never completed with an exception. What hangs on it
   * runs on the thread of the load.
   */
  public CompletableFuture<Got<V>> get(String key) {
    V value = now(key);
    if (value != null) {
      return CompletableFuture.completedFuture(new Got.Value<>(value));
    }
    meter.misses.increment();
    return landed(key);
  }

  private CompletableFuture<Got<V>> landed(String key) {
    Asker<V> asker = new Asker<>();
    flights.compute(
        key,
        (k, other) -> {
          if (other != null) {
            asker.flight = join(other) ? other : null;
            return other;
          }
          Entry<V> entry = entries.getIfPresent(k);
          asker.got = entry == null ? null : known(entry);
          if (asker.got != null || !loads.tryAcquire()) {
            return null;
          }
          asker.flight = new Flight<>(k, entry, 1);
          asker.begins = true;
          return asker.flight;
        });
    Flight<V> flight = asker.flight;
    if (flight != null) {
      CompletableFuture<Got<V>> landed = flight.landed().copy();
      if (asker.begins) {
        begin(flight);
      }
      return landed;
    }
    Got<V> got = asker.got;
    if (got == null) {
      meter.busy.increment();
      got = new Got.Busy<>();
    }
    return CompletableFuture.completedFuture(got);
  }

  /**
   * What a step of the table found for who asks: an answer, a flight, or neither as all is busy.
   */
  private static final class Asker<V> {
    private @Nullable Got<V> got;
    private @Nullable Flight<V> flight;
    private boolean begins;
  }

  private boolean join(Flight<V> flight) {
    if (waiting.incrementAndGet() > config.waitersMax()) {
      waiting.decrementAndGet();
      return false;
    }
    meter.waits.increment();
    flight.join();
    return true;
  }

  /** The answer without a load: another has just landed, or failed a short time ago. */
  private @Nullable Got<V> known(Entry<V> entry) {
    long now = nanos.getAsLong();
    V value = entry.answered(now);
    if (value != null) {
      return new Got.Value<>(value);
    }
    IOException cause = entry.cause();
    return cause != null && entry.isResting(now) ? new Got.Failed<>(cause) : null;
  }

  private void begin(Flight<V> flight) {
    try {
      around.loaders().execute(() -> fly(flight));
    } catch (RejectedExecutionException | OutOfMemoryError none) {
      land(flight, null, new IOException("no thread to load with", none));
      loads.release();
    }
  }

  private void fly(Flight<V> flight) {
    try {
      Loaded<V> loaded = flown(flight);
      loading.share(flight, loaded);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      loads.release();
    }
  }

  private @Nullable Loaded<V> flown(Flight<V> flight) {
    Loaded<V> loaded = null;
    IOException why = new IOException("the load ended early");
    try {
      loaded = loading.load(flight);
    } catch (IOException failed) {
      why = failed;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      why = new InterruptedIOException("the load was interrupted");
    } catch (RuntimeException | Error bug) {
      why = new LoadBroken(bug);
    } finally {
      land(flight, loaded, why);
    }
    return loaded;
  }

  private void land(Flight<V> flight, @Nullable Loaded<V> loaded, IOException why) {
    long now = nanos.getAsLong();
    flights.compute(
        flight.key(),
        (key, current) -> {
          if (current != flight) {
            return current; // forgotten since it began: nothing is kept
          }
          entries.put(
              key,
              loaded != null ? Entry.loaded(loaded, staleNanos, now) : failed(flight, why, now));
          return null;
        });
    waiting.addAndGet(-flight.waiters());
    flight.landed().complete(loaded != null ? new Got.Value<>(loaded.value()) : old(flight, why));
  }

  /** The old value is answered on, for as long as it may, and the source is left alone a while. */
  private Entry<V> failed(Flight<V> flight, IOException why, long now) {
    Entry<V> old = flight.known();
    int failures = old == null ? 1 : Math.min(old.failures() + 1, BACK_OFF_STEPS + 1);
    long most = Math.min(BACK_OFF_MIN.toNanos() << (failures - 1), BACK_OFF_MAX.toNanos());
    long retryAt = now + (long) (most * (0.5 + around.chance().getAsDouble() / 2));
    if (old == null || old.value() == null) {
      return Entry.failed(flight.key(), why, retryAt, failures);
    }
    long until = now + Math.max(old.answerUntil() - now, Math.max(staleNanos, retryAt - now));
    long untilMost = old.freshUntil() + ifErrorNanos;
    return old.failed(why, retryAt, failures, untilMost - until < 0 ? untilMost : until);
  }

  /** What is answered after a failure. */
  private Got<V> old(Flight<V> flight, IOException why) {
    Entry<V> old = flight.known();
    V value = old == null ? null : old.value();
    if (old == null || value == null || old.left(nanos.getAsLong()) + ifErrorNanos <= 0) {
      return new Got.Failed<>(why);
    }
    meter.stale.add(flight.askers());
    return new Got.Value<>(value);
  }

  /** After the source was changed: whoever asks from now on is answered with what it is now. */
  public void forget(String key) {
    meter.forgotten.increment();
    Untrusted.Mark mark = shared == null ? null : untrusted.mark(key); // before a load can begin
    flights.compute(
        key,
        (k, flight) -> {
          if (flight != null) {
            flight.cut();
          }
          entries.invalidate(k);
          return null;
        });
    Shared others = shared;
    // Over the bound, or without a thread, the mark remains: the key's next load here deletes what
    // is shared.
    if (others != null && mark != null && forgettings.tryAcquire()) {
      try {
        around.loaders().execute(() -> forget(others, key, mark));
      } catch (RejectedExecutionException | OutOfMemoryError none) {
        forgettings.release();
      }
    }
  }

  private void forget(Shared others, String key, Untrusted.Mark mark) {
    try {
      // A load that found the mark has deleted the value already, and holds a lease.
      if (untrusted.of(key) == mark && others.forget(key)) {
        untrusted.clear(key, mark);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      forgettings.release();
    }
  }

  private void show() {
    meter.gauge("entries", "Keys of which something is kept.", entries::estimatedSize);
    meter.gauge("bytes", "About what they take.", this::bytes, (double) config.bytesMax());
    int loadsMax = config.loadsMax();
    meter.gauge("loading", "Loads under way.", () -> loadsMax - loads.availablePermits(), loadsMax);
    meter.gauge("waiting", "Callers that wait.", waiting::get, config.waitersMax());
    meter.gauge(
        "untrusted",
        "Keys whose shared value may be older than a change made here.",
        untrusted::size,
        Untrusted.MARKS_MAX);
  }

  private long bytes() {
    return entries
        .policy()
        .eviction()
        .map(eviction -> eviction.weightedSize().orElse(0))
        .orElse(0L);
  }
}
