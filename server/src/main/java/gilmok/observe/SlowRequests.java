package gilmok.observe;

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

  /** None yet. */
  public SlowRequests(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The slowest of one route. */
  public SlowRoute of(String route) {
    return byRoute.computeIfAbsent(route, name -> new SlowRoute(name, nanoTime));
  }

  /** Forgets what is too old; to be called now and then. */
  public void tick() {
    byRoute.values().forEach(SlowRoute::tick);
  }

  /** Those of all routes, the slowest first. */
  public List<SlowRequest> slowest() {
    tick();
    List<SlowRequest> all = new ArrayList<>();
    byRoute.values().forEach(route -> all.addAll(route.slowest()));
    all.sort(SLOWEST_FIRST);
    return List.copyOf(all.subList(0, Math.min(SHOWN_MAX, all.size())));
  }

  /** Those of each route, the slowest first; the route with the slowest request first. */
  public List<List<SlowRequest>> byRoute() {
    tick();
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
