package gilmok.cache;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.time.Duration;

/**
 * Keeps a cache in step with those of other processes: it drops what they have changed, and tells
 * them what could not be told. While Redis does not answer, each process sees the others' changes
 * when its own values expire; afterwards it drops everything once. Thread-safe: one background
 * loop.
 */
public final class CacheChanges implements BackgroundLoop.Work, AutoCloseable {
  /** The pause after changes were read, so that many of them do not wake it as often. */
  private static final long GATHER_NANOS = 10_000_000;

  /** A reading is broken off after this time when the server stops: nothing of it is lost. */
  private static final Duration STOP_MAX = Duration.ofMillis(20);

  private final SingleFlightCache<?> cache;
  private final RedisChanges changes;
  private final BackgroundLoop loop;

  /**
   * Not started yet.
   *
   * @param name the cache's
   * @param tier the one that the cache shares values by
   */
  public CacheChanges(
      String name, SingleFlightCache<?> cache, RedisTier tier, BackgroundLoops loops) {
    this.cache = cache;
    changes = tier.changes();
    String what = "changes that other nodes make to " + name + " are seen late";
    loop = loops.optional(name + "-changes", what, this);
  }

  /** Starts reading. */
  public void start() {
    loop.start();
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    cache.notices().sendAgain();
    RedisChanges.Changes read = changes.read();
    if (read.isAll()) {
      cache.dropAll();
    } else {
      read.keys().forEach(cache::drop);
    }
    return read.keys().isEmpty() ? 0 : GATHER_NANOS;
  }

  /** Stops reading. Blocks briefly. */
  @Override
  public void close() {
    try {
      loop.stop(STOP_MAX);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
