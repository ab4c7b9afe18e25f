package gilmok.privacy;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Routes that show where riders are or were, as they are asked: the register has it before they
 * answer; if it cannot be written, nothing is shown. A rider's own key is not written down: that is
 * the rider.
 */
public final class SeenRoutes {
  private static final int IN_FLIGHT_MAX = 256;

  /** How a route shows riders. */
  private enum Shows {
    /** The rider in the path. */
    ONE,
    /** The riders of the group in the path. */
    GROUP,
    /** The rider in the query; without one, all. */
    QUERY,
    /** All or many, each time. */
    ALL,
    /** Many, as often as maps are looked at: summed by the hour. */
    MANY
  }

  /** All routes that show a location to the holder of a key, with their names in the register. */
  private static final Map<String, Map.Entry<Shows, String>> ALL =
      Map.ofEntries(
          shows("GET /v1/riders/{id}/position", Shows.ONE, "position"),
          shows("GET /v1/riders/{id}/trace", Shows.ONE, "trace"),
          shows("GET /v1/riders/{id}/trips", Shows.ONE, "trips"),
          shows("GET /v1/riders/{id}/stays", Shows.ONE, "stays"),
          shows("GET /v1/riders/{id}/performance", Shows.ONE, "performance"),
          shows("GET /v1/riders/{id}/run-sheet", Shows.ONE, "run-sheet"),
          shows("GET /v1/groups/{id}/trace", Shows.GROUP, "trace"),
          shows("GET /v1/groups/{id}/trips", Shows.GROUP, "trips"),
          shows("GET /v1/groups/{id}/stays", Shows.GROUP, "stays"),
          shows("GET /v1/logs", Shows.QUERY, "logs"),
          shows("GET /v1/performance", Shows.ALL, "performance"),
          shows("GET /v1/exports/{dataset}", Shows.ALL, "export"),
          shows("GET /v1/quarantine", Shows.ALL, "quarantine"),
          shows("GET /v1/riders", Shows.MANY, "near"),
          shows("GET /v1/stream/positions", Shows.MANY, "stream"));

  private final Register register;
  private final Function<String, List<String>> groups;
  private final Offload offload;

  /**
   * Writes into that register.
   *
   * @param groups the riders of a group
   */
  public SeenRoutes(Register register, Function<String, List<String>> groups, Offloads offloads) {
    this.register = register;
    this.groups = groups;
    offload = offloads.of("register", "the register cannot be written", IN_FLIGHT_MAX, null);
  }

  private static Map.Entry<String, Map.Entry<Shows, String>> shows(
      String route, Shows shows, String what) {
    return Map.entry(route, Map.entry(shows, what));
  }

  /** The same routes; those that show locations are written down. */
  public List<Route> around(List<Route> routes) {
    return routes.stream().map(this::around).toList();
  }

  private Route around(Route route) {
    Map.Entry<Shows, String> entry = ALL.get(route.method() + " " + route.path());
    if (entry == null) {
      return route;
    }
    Route.Handler handler = route.handler();
    String what = entry.getValue();
    return route.handledBy(
        switch (entry.getKey()) {
          case ONE ->
              exchange -> write(exchange, what, List.of(exchange.pathParameter("id")), handler);
          case GROUP ->
              exchange ->
                  write(exchange, what, groups.apply(exchange.pathParameter("id")), handler);
          case QUERY ->
              exchange -> {
                String rider = exchange.query("rider");
                write(exchange, what, rider == null ? List.of() : List.of(rider), handler);
              };
          case ALL -> exchange -> write(exchange, what, List.of(), handler);
          case MANY -> exchange -> sum(exchange, what, handler);
        });
  }

  private void write(Exchange exchange, String what, List<String> riders, Route.Handler handler) {
    if (isRider(exchange.principal())) {
      handler.handle(exchange);
      return;
    }
    String key = exchange.principal().keyId();
    offload.ask(
        exchange,
        () -> {
          register.seen(key, what, riders);
          return asked -> asked.execute(() -> handler.handle(asked));
        });
  }

  private void sum(Exchange exchange, String what, Route.Handler handler) {
    if (isRider(exchange.principal()) || register.sum(exchange.principal().keyId(), what)) {
      handler.handle(exchange);
    } else {
      exchange.refuse(Refusal.BUSY);
    }
  }

  private static boolean isRider(Principal caller) {
    Binding binding = caller.binding();
    return binding != null && binding.kind() == Binding.Kind.RIDER;
  }
}
