package gilmok.cache;

import gilmok.cache.SharedTier.Away;
import gilmok.cache.SharedTier.Found;
import gilmok.cache.SharedTier.Garbled;
import gilmok.cache.SharedTier.Held;
import gilmok.cache.SharedTier.Leased;
import gilmok.cache.SharedTier.Taken;
import gilmok.cache.SharedTier.Told;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How a load gets its value: from the shared tier, from the source under a lease, or from the
 * source alone. Thread-safe; blocks.
 */
record LoadStrategy<V>(
    CacheConfig config,
    CacheSource<V> source,
    Codec<V> codec,
    @Nullable SharedTier sharedTier,
    Tombstones tombstones,
    CacheMeter meter,
    CacheEnvironment around) {
  private static final long REST_NANOS_MIN = 5_000_000;
  private static final long REST_NANOS_MAX = 50_000_000;

  /** Loads the value, from the shared tier or from the source. */
  LoadedValue<V> load(InFlightLoad<V> load) throws IOException, InterruptedException {
    SharedTier others = sharedTier;
    return others == null ? alone(load) : withOthers(load, others);
  }

  private LoadedValue<V> withOthers(InFlightLoad<V> load, SharedTier others)
      throws IOException, InterruptedException {
    long end = around.nanos().getAsLong() + config.leaseTimeout().toNanos();
    boolean garbled = false;
    for (long rest = REST_NANOS_MIN; ; rest = Math.min(2 * rest, REST_NANOS_MAX)) {
      switch (ask(load, others, garbled)) {
        case Found found -> {
          V value = decoded(found.bytes());
          if (value != null) {
            meter.sharedHits.increment();
            long left = Math.min(found.leftNanos(), config.ttl().toNanos());
            int size = CacheEntry.size(load.key, codec.weigh(value));
            return new LoadedValue<>(value, found.version(), found.deltaNanos(), left, size);
          }
          if (garbled) {
            return alone(load);
          }
          garbled = true;
        }
        case Garbled _ -> {
          if (garbled) {
            return alone(load);
          }
          garbled = true;
        }
        case Leased leased -> {
          meter.sharedMisses.increment();
          load.token = leased.token();
          return own(load.key, leased.token());
        }
        case Taken _ -> {
          if (rest == REST_NANOS_MIN) {
            meter.leasesTaken.increment();
          }
          if (around.nanos().getAsLong() - end >= 0) {
            return alone(load);
          }
          around.rest().nanos((long) (rest * (0.5 + around.chance().getAsDouble() / 2)));
        }
        case Away _ -> {
          meter.sharedFaults.increment();
          return alone(load);
        }
      }
    }
  }

  /** Asks the shared tier. A value that is untrusted or not decodable is deleted instead. */
  private Told ask(InFlightLoad<V> load, SharedTier others, boolean garbled)
      throws InterruptedException {
    String key = load.key;
    Tombstones.Mark mark = tombstones.of(key);
    if (mark == null && !garbled) {
      return others.ask(key, held(load.known));
    }
    Told told = others.reset(key);
    if (mark != null && told instanceof Leased) {
      tombstones.deleted(key, mark);
    }
    return told;
  }

  private @Nullable Held held(@Nullable CacheEntry<V> known) {
    return known == null || known.value() == null
        ? null
        : new Held(known.version(), Math.max(0, known.left(around.nanos().getAsLong())));
  }

  /**
   * Stores the loaded value in the shared tier, or at least releases the lease. Called after the
   * load has landed, so that no caller here waits for Redis. If the key was forgotten meanwhile,
   * the lease is gone and nothing is stored.
   *
   * @param loadedValue null when the load failed
   */
  void share(InFlightLoad<V> load, @Nullable LoadedValue<V> loadedValue)
      throws InterruptedException {
    SharedTier others = sharedTier;
    long token = load.token;
    if (others == null || token == SharedTier.NONE) {
      return;
    }
    if (loadedValue == null || load.isCut) {
      others.release(load.key, token);
    } else {
      others.put(load.key, token, loadedValue.deltaNanos(), codec.encode(loadedValue.value()));
    }
  }

  private LoadedValue<V> alone(InFlightLoad<V> load) throws IOException, InterruptedException {
    return own(load.key, SharedTier.NONE);
  }

  private LoadedValue<V> own(String key, long version) throws IOException, InterruptedException {
    meter.loads.increment();
    long began = around.nanos().getAsLong();
    boolean loaded = false;
    try {
      V value = source.load(key);
      loaded = true;
      long delta = around.nanos().getAsLong() - began;
      meter.loadSeconds.record(delta);
      int size = CacheEntry.size(key, codec.weigh(value));
      return new LoadedValue<>(value, version, delta, config.ttl().toNanos(), size);
    } finally {
      if (!loaded) {
        meter.failures.increment();
      }
    }
  }

  /** The decoded value; null if the codec throws. Bytes of another process are untrusted input. */
  private @Nullable V decoded(byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (RuntimeException damaged) {
      return null;
    }
  }
}
