package gilmok.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The slowest requests of the last five to ten minutes, at most {@link #KEPT_MAX} of each of two
 * periods. A request that is not among them costs one comparison. Thread-safe.
 */
public final class SlowRequests {
  /** How many are kept of a period. */
  public static final int KEPT_MAX = 20;

  private static final long PERIOD_NANOS = Duration.ofMinutes(5).toNanos();

  private final LongSupplier nanoTime;
  private List<SlowRequest> present = new ArrayList<>();
  private List<SlowRequest> past = List.of();
  private volatile long periodBegan;

  /** What a request must take to be kept. */
  private volatile long threshold;

  /**
   * A request that took long.
   *
   * @param at when it was answered
   * @param route as in {@code GET /v1/riders/{id}/position}
   * @param key the label of its key, as in the metrics by caller
   * @param nanos from its head to its answer
   * @param bytes of its answer; 0 for a streamed one
   */
  public record SlowRequest(
      Instant at, String route, int status, String key, long nanos, long bytes) {}

  SlowRequests(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    periodBegan = nanoTime.getAsLong();
  }

  /** Notes a request that was answered now. */
  void answered(Route route, int status, String key, long nanos, long bytes) {
    if (nanos > threshold) {
      keep(
          new SlowRequest(
              Instant.now(), route.method() + " " + route.path(), status, key, nanos, bytes));
    }
  }

  private synchronized void keep(SlowRequest request) {
    turn();
    if (present.size() == KEPT_MAX) {
      present.remove(fastest());
    }
    present.add(request);
    SlowRequest fastest = fastest();
    threshold = present.size() < KEPT_MAX || fastest == null ? 0 : fastest.nanos;
  }

  private @Nullable SlowRequest fastest() {
    return present.stream().min(Comparator.comparingLong(SlowRequest::nanos)).orElse(null);
  }

  /** Begins another period when the present one is over. */
  private void turn() {
    long age = nanoTime.getAsLong() - periodBegan;
    if (age >= PERIOD_NANOS) {
      past = age >= 2 * PERIOD_NANOS ? List.of() : present;
      present = new ArrayList<>();
      long begins = periodBegan + age / PERIOD_NANOS * PERIOD_NANOS;
      periodBegan = begins;
      threshold = 0;
    }
  }

  /** Forgets what is too old; to be called now and then. */
  void tick() {
    if (nanoTime.getAsLong() - periodBegan >= PERIOD_NANOS) {
      turnNow();
    }
  }

  private synchronized void turnNow() {
    turn();
  }

  /** Those that are kept, the slowest first. */
  public synchronized List<SlowRequest> slowest() {
    turn();
    List<SlowRequest> all = new ArrayList<>(present);
    all.addAll(past);
    all.sort(Comparator.comparingLong(SlowRequest::nanos).reversed());
    return all.subList(0, Math.min(KEPT_MAX, all.size()));
  }
}
