package gilmok.collect;

import gilmok.auth.Scope;
import gilmok.collect.format.Format;
import gilmok.event.EventKind;
import gilmok.http.Exchange;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import gilmok.privacy.Consents;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/**
 * The routes that phone apps send to (docs/dialects.md): they read an upload into the log, and
 * answer 200 in the app's own way once it is durable. Handlers run on event loops, each of which
 * has a {@link DialectCollector} of its own.
 */
public final class DialectRoutes {
  private final CollectConfig config;
  private final ThreadLocal<DialectCollector> collectors;

  /**
   * Routes that append to the log.
   *
   * @param actionRule which actions which keys may send
   * @param rule who acknowledges
   * @param secret the 16 bytes that key the deduplication hash
   */
  public DialectRoutes(
      CollectConfig config,
      RecordAppender recordAppender,
      ActionRule actionRule,
      AckRule rule,
      byte[] secret,
      CollectMeters meter,
      Phones phones,
      Consents consents,
      InstantSource clock) {
    this.config = config;
    this.collectors =
        ThreadLocal.withInitial(
            () ->
                new DialectCollector(
                    recordAppender, actionRule, rule, secret, meter, phones, consents, clock));
  }

  /** The routes. */
  public List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    add(routes, "GET", "/?id", UploadEndpoint.ANY);
    add(routes, "GET", "/?deviceid", UploadEndpoint.ANY);
    add(routes, "POST", "/", UploadEndpoint.ANY);
    add(routes, "GET", "/osmand", UploadEndpoint.ANY);
    add(routes, "POST", "/osmand", UploadEndpoint.ANY);
    add(routes, "POST", "/pub", UploadEndpoint.OWNTRACKS);
    add(routes, "POST", "/owntracks", UploadEndpoint.OWNTRACKS);
    add(routes, "POST", "/overland", UploadEndpoint.OVERLAND);
    add(routes, "GET", "/gpslogger", UploadEndpoint.GPSLOGGER);
    add(routes, "POST", "/gpslogger", UploadEndpoint.GPSLOGGER);
    config.formats().forEach(format -> routes.add(route(format)));
    return routes;
  }

  /** The route of a declared format. */
  private Route route(Format format) {
    return new Route(
        format.method(),
        format.path(),
        Scope.COLLECT,
        OwnershipRule.PHONE,
        format.kind() == EventKind.ACTION ? Priority.ACTIONS : Priority.TRACES,
        config.bodyBytesMax(),
        handler(
            (collector, exchange) -> collector.collect(exchange, format),
            (collector, exchange) -> collector.mayPassOn(exchange, format)));
  }

  private void add(List<Route> routes, String method, String path, UploadEndpoint uploadEndpoint) {
    routes.add(
        new Route(
            method,
            path,
            Scope.COLLECT,
            OwnershipRule.PHONE,
            Priority.TRACES,
            config.bodyBytesMax(),
            handler(
                (collector, exchange) -> collector.collect(exchange, uploadEndpoint),
                (collector, exchange) -> collector.mayPassOn(exchange, uploadEndpoint))));
  }

  private Route.Handler handler(
      BiConsumer<DialectCollector, Exchange> collect,
      BiPredicate<DialectCollector, Exchange> mayPassOn) {
    return new Route.Handler() {
      @Override
      public void handle(Exchange exchange) {
        collect.accept(collectors.get(), exchange);
      }

      @Override
      public boolean mayPassOn(Exchange exchange) {
        return mayPassOn.test(collectors.get(), exchange);
      }
    };
  }
}
