package gilmok.cache;

import gilmok.cache.Shared.Away;
import gilmok.cache.Shared.Found;
import gilmok.cache.Shared.Garbled;
import gilmok.cache.Shared.Held;
import gilmok.cache.Shared.Leased;
import gilmok.cache.Shared.Taken;
import gilmok.cache.Shared.Told;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How one flight gets its value: from another process, by a lease, or by itself. Thread-safe;
 * blocks.
 */
final class Loading<V> {
  private static final long REST_NANOS_MIN = 5_000_000;
  private static final long REST_NANOS_MAX = 50_000_000;

  private final CacheConfig config;
  private final Source<V> source;
  private final Codec<V> codec;
  private final @Nullable Shared shared;
  private final Untrusted untrusted;
  private final CacheMeter meter;
  private final Surroundings around;
  private final LongSupplier nanos;

  Loading(
      CacheConfig config,
      Source<V> source,
      Codec<V> codec,
      @Nullable Shared shared,
      Untrusted untrusted,
      CacheMeter meter,
      Surroundings around) {
    this.config = config;
    this.source = source;
    this.codec = codec;
    this.shared = shared;
    this.untrusted = untrusted;
    this.meter = meter;
    this.around = around;
    nanos = around.nanos();
  }

  /** The flight's value. */
  Loaded<V> load(Flight<V> flight) throws IOException, InterruptedException {
    Shared others = shared;
    return others == null ? alone(flight) : withOthers(flight, others);
  }

  private Loaded<V> withOthers(Flight<V> flight, Shared others)
      throws IOException, InterruptedException {
    long end = nanos.getAsLong() + config.leaseTimeout().toNanos();
    boolean garbled = false;
    for (long rest = REST_NANOS_MIN; ; rest = Math.min(2 * rest, REST_NANOS_MAX)) {
      switch (ask(flight, others, garbled)) {
        case Found found -> {
          V value = decoded(found.bytes());
          if (value != null) {
            meter.sharedHits.increment();
            long left = Math.min(found.leftNanos(), config.ttl().toNanos());
            int size = Entry.size(flight.key(), codec.weigh(value));
            return new Loaded<>(value, found.version(), found.deltaNanos(), left, size);
          }
          if (garbled) {
            return alone(flight);
          }
          garbled = true;
        }
        case Garbled _ -> {
          if (garbled) {
            return alone(flight);
          }
          garbled = true;
        }
        case Leased leased -> {
          meter.sharedMisses.increment();
          flight.lease(leased.token());
          return own(flight.key(), leased.token());
        }
        case Taken _ -> {
          if (rest == REST_NANOS_MIN) {
            meter.leasesTaken.increment();
          }
          if (nanos.getAsLong() - end >= 0) {
            return alone(flight);
          }
          around.rest().nanos((long) (rest * (0.5 + around.chance().getAsDouble() / 2)));
        }
        case Away _ -> {
          meter.sharedFaults.increment();
          return alone(flight);
        }
      }
    }
  }

  /** Asks the others; what is not trusted, or is no value, is deleted instead. */
  private Told ask(Flight<V> flight, Shared others, boolean garbled) throws InterruptedException {
    String key = flight.key();
    Untrusted.Mark mark = untrusted.of(key);
    if (mark == null && !garbled) {
      return others.ask(key, held(flight.known()));
    }
    Told told = others.reset(key);
    if (mark != null && told instanceof Leased) {
      untrusted.clear(key, mark);
    }
    return told;
  }

  private @Nullable Held held(@Nullable Entry<V> known) {
    return known == null || known.value() == null
        ? null
        : new Held(known.version(), Math.max(0, known.left(nanos.getAsLong())));
  }

  /**
   * Gives the others what was loaded for them, or at least the lease back. After the flight has
   * landed: nobody here waits for Redis. If the key was forgotten meanwhile, the lease is gone.
   *
   * @param loaded null when the load failed
   */
  void share(Flight<V> flight, @Nullable Loaded<V> loaded) throws InterruptedException {
    Shared others = shared;
    long token = flight.token();
    if (others == null || token == Shared.NONE) {
      return;
    }
    if (loaded == null || flight.isCut()) {
      others.release(flight.key(), token);
    } else {
      others.put(flight.key(), token, loaded.deltaNanos(), codec.encode(loaded.value()));
    }
  }

  private Loaded<V> alone(Flight<V> flight) throws IOException, InterruptedException {
    return own(flight.key(), Shared.NONE);
  }

  private Loaded<V> own(String key, long version) throws IOException, InterruptedException {
    meter.loads.increment();
    long began = nanos.getAsLong();
    boolean loaded = false;
    try {
      V value = source.load(key);
      loaded = true;
      long delta = nanos.getAsLong() - began;
      meter.loadSeconds.record(delta);
      int size = Entry.size(key, codec.weigh(value));
      return new Loaded<>(value, version, delta, config.ttl().toNanos(), size);
    } finally {
      if (!loaded) {
        meter.failures.increment();
      }
    }
  }

  /** What others wrote is input: a codec that trips over it has found no value. */
  private @Nullable V decoded(byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (RuntimeException damaged) {
      return null;
    }
  }
}
