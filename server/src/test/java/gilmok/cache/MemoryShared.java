package gilmok.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A shared tier in memory: the plain version of the Redis scripts. Thread-safe. */
final class MemoryShared implements SharedTier {
  private record Kept(Texts.Bytes bytes, long delta, long version, long until) {}

  private record Lease(long token, long until) {}

  final AtomicBoolean away = new AtomicBoolean();
  int asked;
  final List<String> told = new ArrayList<>();
  int toldAll;

  /** Runs before somebody tells the others. */
  Runnable telling = () -> {};

  private final Map<String, Kept> values = new HashMap<>();
  private final Map<String, Lease> leases = new HashMap<>();
  private final LongSupplier nanos;
  private final CacheConfig config;
  private final BooleanSupplier fails;
  private long tokens;

  MemoryShared(LongSupplier nanos, CacheConfig config) {
    this(nanos, config, () -> false);
  }

  /**
   * @param fails draws whether a call fails, before it is carried out or after
   */
  MemoryShared(LongSupplier nanos, CacheConfig config, BooleanSupplier fails) {
    this.nanos = nanos;
    this.config = config;
    this.fails = fails;
  }

  @Override
  public synchronized Told ask(String key, @Nullable Held held) {
    asked++;
    if (isAway()) {
      return new Away();
    }
    Kept kept = kept(key);
    if (kept != null) {
      long left = kept.until - nanos.getAsLong();
      if (held == null || (kept.version != held.version() && left > held.leftNanos())) {
        return kept.bytes.array().length == 0
            ? new Garbled()
            : new Found(kept.bytes.array(), kept.delta, left, kept.version);
      }
    }
    Lease lease = leases.get(key);
    if (lease != null && nanos.getAsLong() - lease.until < 0) {
      return new Taken();
    }
    return lease(key);
  }

  private Told lease(String key) {
    long token = ++tokens;
    leases.put(key, new Lease(token, nanos.getAsLong() + config.leaseTimeout().toNanos()));
    return isAway() ? new Away() : new Leased(token);
  }

  @Override
  public synchronized Told reset(String key) {
    if (isAway()) {
      return new Away();
    }
    values.remove(key);
    return lease(key);
  }

  @Override
  public synchronized void put(String key, long token, long deltaNanos, byte[] bytes) {
    if (!isAway() && end(key, token)) {
      set(key, token, deltaNanos, bytes);
    }
  }

  /** Stores a value, without any lease. */
  synchronized void set(String key, long version, long deltaNanos, byte[] bytes) {
    long until = nanos.getAsLong() + config.ttl().toNanos();
    values.put(key, new Kept(new Texts.Bytes(bytes), deltaNanos, version, until));
  }

  @Override
  public synchronized void release(String key, long token) {
    if (!isAway()) {
      boolean _ = end(key, token);
    }
  }

  private boolean end(String key, long token) {
    Lease lease = leases.get(key);
    return lease != null
        && lease.token == token
        && nanos.getAsLong() - lease.until < 0
        && leases.remove(key) != null;
  }

  @Override
  public synchronized boolean forget(String key) {
    if (isAway()) {
      return false;
    }
    values.remove(key);
    leases.remove(key);
    return !isAway();
  }

  @Override
  public synchronized boolean tell(String key) {
    telling.run();
    return !isAway() && told.add(key);
  }

  @Override
  public synchronized boolean tellAll() {
    toldAll += isAway() ? 0 : 1;
    return toldAll > 0;
  }

  private boolean isAway() {
    return away.get() || fails.getAsBoolean();
  }

  private @Nullable Kept kept(String key) {
    Kept kept = values.get(key);
    return kept != null && nanos.getAsLong() - kept.until < 0 ? kept : null;
  }

  /** Whether a value is there. */
  synchronized boolean has(String key) {
    return kept(key) != null;
  }
}
