package gilmok.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The slowest requests of one route, at most {@link #KEPT_MAX} of each of two periods. Thread-safe.
 */
public final class SlowRoute {
  /** How many are kept of a period. */
  public static final int KEPT_MAX = 5;

  private static final long PERIOD_NANOS = Duration.ofMinutes(5).toNanos();

  private final String name;
  private final LongSupplier nanoTime;
  private List<SlowRequest> present = new ArrayList<>();
  private List<SlowRequest> past = List.of();
  private volatile long periodBegan;

  /** What a request must take to be kept. */
  private volatile long threshold;

  SlowRoute(String name, LongSupplier nanoTime) {
    this.name = name;
    this.nanoTime = nanoTime;
    periodBegan = nanoTime.getAsLong();
  }

  /** Whether one that took that long is to be kept. */
  public boolean keeps(long nanos) {
    return nanos > threshold;
  }

  /** Keeps one that ended now. */
  public void keep(
      int status,
      String key,
      long nanos,
      long bytes,
      List<SlowRequest.Part> parts,
      long unexplained) {
    keep(new SlowRequest(Instant.now(), name, status, key, nanos, bytes, parts, unexplained));
  }

  private synchronized void keep(SlowRequest request) {
    turn();
    if (present.size() == KEPT_MAX) {
      present.remove(fastest());
    }
    present.add(request);
    SlowRequest fastest = fastest();
    threshold = present.size() < KEPT_MAX || fastest == null ? 0 : fastest.nanos();
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
      long began = periodBegan;
      periodBegan = began + age / PERIOD_NANOS * PERIOD_NANOS;
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
  synchronized List<SlowRequest> slowest() {
    turn();
    List<SlowRequest> all = new ArrayList<>(present);
    all.addAll(past);
    all.sort(Comparator.comparingLong(SlowRequest::nanos).reversed());
    return List.copyOf(all.subList(0, Math.min(KEPT_MAX, all.size())));
  }
}
