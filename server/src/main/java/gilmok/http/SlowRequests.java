package gilmok.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The slowest requests of each route in the last five to ten minutes, with where their time went. A
 * request that is not among them costs one comparison. Thread-safe.
 */
public final class SlowRequests {
  /** How many are shown of all routes together. */
  public static final int SHOWN_MAX = 20;

  private static final Comparator<SlowRequest> SLOWEST_FIRST =
      Comparator.comparingLong(SlowRequest::nanos).reversed();

  private final LongSupplier nanoTime;
  private final Map<String, SlowRoute> byRoute = new ConcurrentHashMap<>();

  /** A part of a request's time: what it is called, and how long it took. */
  public record Part(String name, long nanos) {}

  /**
   * A request that took long.
   *
   * @param at when it was answered
   * @param route as in {@code GET /v1/riders/{id}/position}
   * @param key the label of its key, as in the metrics by caller
   * @param nanos from its head to its answer
   * @param bytes of its answer; 0 for a streamed one
   * @param parts where the time went, in the order of the request's way
   * @param unexplainedNanos what no part explains
   */
  public record SlowRequest(
      Instant at,
      String route,
      int status,
      String key,
      long nanos,
      long bytes,
      List<Part> parts,
      long unexplainedNanos) {
    /** Whether over a tenth of its time is explained by no part. */
    public boolean isUnexplained() {
      return unexplainedNanos * 10 > nanos;
    }
  }

  SlowRequests(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The slowest of one route, which is asked for once. */
  SlowRoute of(Route route) {
    return byRoute.computeIfAbsent(
        route.method() + " " + route.path(), name -> new SlowRoute(name, nanoTime));
  }

  /** Forgets what is too old; to be called now and then. */
  void tick() {
    byRoute.values().forEach(SlowRoute::tick);
  }

  /** Those of all routes, the slowest first. */
  public List<SlowRequest> slowest() {
    List<SlowRequest> all = new ArrayList<>();
    byRoute.values().forEach(route -> all.addAll(route.slowest()));
    all.sort(SLOWEST_FIRST);
    return List.copyOf(all.subList(0, Math.min(SHOWN_MAX, all.size())));
  }

  /** Those of each route, the slowest first; the route with the slowest request first. */
  public List<List<SlowRequest>> byRoute() {
    List<List<SlowRequest>> routes = new ArrayList<>();
    for (SlowRoute route : byRoute.values()) {
      List<SlowRequest> slowest = route.slowest();
      if (!slowest.isEmpty()) {
        routes.add(slowest);
      }
    }
    routes.sort(Comparator.comparing(List::getFirst, SLOWEST_FIRST));
    return routes;
  }
}
