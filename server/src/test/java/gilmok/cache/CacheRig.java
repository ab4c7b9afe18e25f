package gilmok.cache;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A cache in one thread. The test moves its clock, runs its loads, and decides what its source
 * returns.
 */
final class CacheRig {
  static final CacheConfig CONFIG =
      new CacheConfig(
          1 << 20,
          Duration.ofMinutes(2),
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          4,
          3,
          Duration.ofSeconds(3),
          Duration.ofMillis(100));

  /** One clock for all caches of a test. */
  static final class Clock {
    long nanos = Long.MAX_VALUE - 1_000_000_000L; // overflows after a second

    void pass(Duration span) {
      nanos += span.toNanos();
    }
  }

  final Clock clock;
  final Deque<Runnable> begun = new ArrayDeque<>();
  final Meters meters = new Meters();
  final SingleFlightCache<String> cache;
  int loads;
  Duration delta = Duration.ofMillis(10);
  double chance;
  @Nullable String value = "a";
  @Nullable RuntimeException bug;
  @Nullable Error error;
  boolean refuses;

  /** Runs once, within the next load. */
  Runnable within = () -> {};

  /** Runs once, while the next random number is drawn. */
  Runnable drawing = () -> {};

  /** Runs once, within the next pause. */
  Runnable resting = () -> {};

  CacheRig() {
    this(CONFIG, null, new Clock());
  }

  CacheRig(CacheConfig config, @Nullable SharedTier sharedTier, Clock clock) {
    this.clock = clock;
    cache =
        new SingleFlightCache<>(
            "texts",
            config,
            this::load,
            new Texts(),
            sharedTier,
            meters,
            new CacheEnvironment(() -> clock.nanos, this::draw, this::begin, this::rest));
  }

  private void begin(Runnable load) {
    if (refuses && error != null) {
      throw error;
    }
    if (refuses) {
      throw new RejectedExecutionException("as told");
    }
    begun.add(load);
  }

  private double draw() {
    Runnable happens = drawing;
    drawing = () -> {};
    happens.run();
    return chance;
  }

  private void rest(long nanos) {
    clock.nanos += nanos;
    Runnable happens = resting;
    resting = () -> {};
    happens.run();
  }

  private String load(String key) throws IOException {
    loads++;
    String loaded = value;
    clock.pass(delta);
    Runnable happens = within;
    within = () -> {};
    happens.run();
    if (bug != null) {
      throw bug;
    }
    if (error != null) {
      throw error;
    }
    if (loaded == null) {
      throw new IOException("as told");
    }
    return key + loaded;
  }

  /** Runs the loads that have begun, and all other tasks that wait for a thread. */
  void run() {
    for (Runnable one = begun.poll(); one != null; one = begun.poll()) {
      one.run();
    }
  }

  /** Gets a value, and runs the loads. */
  LoadResult<String> get(String key) {
    CompletableFuture<LoadResult<String>> got = cache.get(key);
    run();
    return got.join();
  }

  /** The value of a metric. */
  double metric(String last) {
    return metric(meters, last);
  }

  static double metric(Meters meters, String last) {
    String start = "gilmok_cache_" + last + "{cache=\"texts\"} ";
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError(start));
  }

  static LoadResult<String> value(String value) {
    return new LoadResult.Value<>(value);
  }
}
