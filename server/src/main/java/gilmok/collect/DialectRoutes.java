package gilmok.collect;

import gilmok.auth.Scope;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The URLs that phone apps send to (docs/dialects.md): from what an app sends to the log, and 200
 * in the app's own way once it is on disk.
 */
public final class DialectRoutes {
  private final CollectConfig config;
  private final ThreadLocal<DialectCollector> collectors;

  /**
   * Routes that put what they read into that acceptor.
   *
   * @param secret the 16 bytes that key the repeats
   */
  public DialectRoutes(
      CollectConfig config,
      Acceptor acceptor,
      byte[] secret,
      CollectMeter meter,
      Phones phones,
      InstantSource clock) {
    this.config = config;
    this.collectors =
        ThreadLocal.withInitial(() -> new DialectCollector(acceptor, secret, meter, phones, clock));
  }

  /** The routes. */
  public List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    add(routes, "GET", "/?id", Door.ANY);
    add(routes, "GET", "/?deviceid", Door.ANY);
    add(routes, "POST", "/", Door.ANY);
    add(routes, "GET", "/osmand", Door.ANY);
    add(routes, "POST", "/osmand", Door.ANY);
    add(routes, "POST", "/pub", Door.OWNTRACKS);
    add(routes, "POST", "/owntracks", Door.OWNTRACKS);
    add(routes, "POST", "/overland", Door.OVERLAND);
    add(routes, "GET", "/gpslogger", Door.GPSLOGGER);
    add(routes, "POST", "/gpslogger", Door.GPSLOGGER);
    return routes;
  }

  private void add(List<Route> routes, String method, String path, Door door) {
    routes.add(
        new Route(
            method,
            path,
            Scope.COLLECT,
            OwnershipRule.PHONE,
            Priority.TRACES,
            config.bodyBytesMax(),
            exchange -> collectors.get().collect(exchange, door)));
  }
}
