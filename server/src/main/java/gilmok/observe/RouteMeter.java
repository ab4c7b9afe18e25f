package gilmok.observe;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Durations of one route's requests, by status. Thread-safe; recording neither blocks nor
 * allocates, except at the first request with a status.
 */
public final class RouteMeter {
  private static final int STATUS_MIN = 100;
  private static final int STATUS_MAX = 599;

  private final AtomicReferenceArray<@Nullable Histogram> byStatus =
      new AtomicReferenceArray<>(STATUS_MAX - STATUS_MIN + 1);
  private final HistogramFamily family;
  private final String method;
  private final String route;

  RouteMeter(HistogramFamily family, String method, String route) {
    this.family = family;
    this.method = method;
    this.route = route;
  }

  /**
   * Records one request.
   *
   * @param nanos how long it took
   */
  public void record(int status, long nanos) {
    int slot = Math.clamp(status, STATUS_MIN, STATUS_MAX) - STATUS_MIN;
    Histogram histogram = byStatus.get(slot);
    (histogram == null ? first(slot) : histogram).record(nanos);
  }

  private synchronized Histogram first(int slot) {
    Histogram histogram = byStatus.get(slot);
    if (histogram == null) {
      String status = Integer.toString(slot + STATUS_MIN);
      histogram = family.member("method", method, "route", route, "status", status);
      byStatus.set(slot, histogram);
    }
    return histogram;
  }
}
