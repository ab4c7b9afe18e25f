package gilmok.privacy;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Routes that show where riders are or were, or give that away: the register has it before they
 * answer; if it cannot be written, nothing is shown. A rider's own key is not written down for what
 * it sees: that is the rider.
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
  private static final Map<String, Map.Entry<Shows, Act>> ALL =
      Map.ofEntries(
          seen("GET /v1/riders/{id}/position", Shows.ONE, "position", Use.DISPATCH),
          seen("GET /v1/riders/{id}/run-sheet", Shows.ONE, "run-sheet", Use.DISPATCH),
          seen("GET /v1/riders/{id}/trace", Shows.ONE, "trace", Use.HISTORY),
          seen("GET /v1/riders/{id}/trips", Shows.ONE, "trips", Use.HISTORY),
          seen("GET /v1/riders/{id}/stays", Shows.ONE, "stays", Use.HISTORY),
          seen("GET /v1/riders/{id}/performance", Shows.ONE, "performance", Use.HISTORY),
          seen("GET /v1/groups/{id}/trace", Shows.GROUP, "trace", Use.HISTORY),
          seen("GET /v1/groups/{id}/trips", Shows.GROUP, "trips", Use.HISTORY),
          seen("GET /v1/groups/{id}/stays", Shows.GROUP, "stays", Use.HISTORY),
          seen("GET /v1/logs", Shows.QUERY, "logs", Use.HISTORY),
          seen("GET /v1/performance", Shows.ALL, "performance", Use.HISTORY),
          seen("GET /v1/exports/{dataset}", Shows.ALL, "export", Use.COPY),
          seen("GET /v1/quarantine", Shows.ALL, "quarantine", Use.COPY),
          seen("GET /v1/riders", Shows.MANY, "near", Use.DISPATCH),
          seen("GET /v1/stream/positions", Shows.MANY, "stream", Use.DISPATCH),
          given("GET /v1/riders/{id}/data", Shows.ONE, "hand-out"),
          given("POST /v1/backup", Shows.ALL, "backup"));

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

  private static Map.Entry<String, Map.Entry<Shows, Act>> seen(
      String route, Shows shows, String what, Use use) {
    return Map.entry(route, Map.entry(shows, Act.of(Kind.SEEN, what, use)));
  }

  private static Map.Entry<String, Map.Entry<Shows, Act>> given(
      String route, Shows shows, String what) {
    return Map.entry(route, Map.entry(shows, Act.of(Kind.GIVEN, what, Use.COPY)));
  }

  /** The same routes; those that show locations are written down. */
  public List<Route> around(List<Route> routes) {
    return routes.stream().map(this::around).toList();
  }

  private Route around(Route route) {
    Map.Entry<Shows, Act> entry = ALL.get(route.method() + " " + route.path());
    if (entry == null) {
      return route;
    }
    Route.Handler handler = route.handler();
    Act act = entry.getValue();
    return route.handledBy(
        switch (entry.getKey()) {
          case ONE ->
              exchange -> write(exchange, act, List.of(exchange.pathParameter("id")), handler);
          case GROUP ->
              exchange -> write(exchange, act, groups.apply(exchange.pathParameter("id")), handler);
          case QUERY ->
              exchange -> {
                String rider = exchange.query("rider");
                write(exchange, act, rider == null ? List.of() : List.of(rider), handler);
              };
          case ALL -> exchange -> write(exchange, act, List.of(), handler);
          case MANY -> exchange -> sum(exchange, act, handler);
        });
  }

  private void write(Exchange exchange, Act act, List<String> riders, Route.Handler handler) {
    if (act.kind() == Kind.SEEN && isRider(exchange.principal())) {
      handler.handle(exchange);
      return;
    }
    String key = exchange.principal().keyId();
    offload.ask(
        exchange,
        () -> {
          register.write(act, key, riders);
          return asked -> asked.execute(() -> handler.handle(asked));
        });
  }

  private void sum(Exchange exchange, Act act, Route.Handler handler) {
    String key = exchange.principal().keyId();
    if (isRider(exchange.principal())) {
      handler.handle(exchange);
    } else if (!register.sum(act, key)) {
      exchange.refuse(Refusal.BUSY);
    } else if (register.hasBegun(act, key)) {
      handler.handle(exchange);
    } else {
      offload.ask(
          exchange,
          () -> {
            register.begin(act, key);
            return asked -> asked.execute(() -> handler.handle(asked));
          });
    }
  }

  private static boolean isRider(Principal caller) {
    Binding binding = caller.binding();
    return binding != null && binding.kind() == Binding.Kind.RIDER;
  }
}
