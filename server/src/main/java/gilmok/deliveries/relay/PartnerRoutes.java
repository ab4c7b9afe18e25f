package gilmok.deliveries.relay;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.deliveries.DeliveryStore;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The routes below {@code /v1/partners}: partners, the state of their webhooks, redelivery and
 * replay. Handlers run on event loops and leave all blocking work to {@link Offload}.
 */
public final class PartnerRoutes {
  private static final String PARTNER = "/v1/partners/{id}";
  private static final String RELAYS = PARTNER + "/relays";
  private static final int BODY_BYTES_MAX = 16 << 10;
  private static final int IN_FLIGHT_MAX = 32;

  /** Redeliveries at a time. One partner has half of them: {@link PartnerBulkhead}. */
  private static final int REDELIVERIES_MAX = 2 * PartnerBulkhead.REDELIVERIES_MAX;

  /** Longer than any setting lets a partner take to answer. */
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private final PartnerService desk;
  private final Offload offload;

  /** Redelivery waits for a partner, which can be slow: its places are its own. */
  private final Offload redeliveries;

  /** Reads what is needed from a request, on its event loop; the returned work does the rest. */
  private interface Handler {
    Offload.Work take(Exchange exchange, PartnerService.Asker asker, byte[] body);
  }

  /** The routes of a relay. */
  public PartnerRoutes(
      Relay relay, DeliveryStore deliveries, Audit audit, InstantSource clock, Offloads offloads) {
    desk = new PartnerService(relay, deliveries, audit, clock);
    offload = part(offloads, "partners", "partners cannot be read or written", IN_FLIGHT_MAX);
    redeliveries =
        part(offloads, "redeliveries", "webhooks cannot be sent again", REDELIVERIES_MAX);
  }

  private static Offload part(Offloads offloads, String name, String failed, int inFlightMax) {
    return offloads.of(new Offload.Part(name, failed, inFlightMax, DEADLINE, null));
  }

  /** All routes. */
  public List<Route> routes() {
    return List.of(
        route(
            "PUT",
            PARTNER,
            BODY_BYTES_MAX,
            offload,
            (_, asker, body) -> () -> desk.put(asker, body)),
        route("GET", PARTNER, 0, offload, (_, asker, _) -> () -> desk.show(asker)),
        route("GET", RELAYS, 0, offload, this::relays)
            .queriedBy("kind", "state", "cursor", "limit"),
        route("POST", RELAYS + "/{relayId}/redeliver", 0, redeliveries, this::redeliver),
        route(
            "POST",
            PARTNER + "/retry-now",
            0,
            offload,
            (_, asker, _) -> () -> desk.retryNow(asker)),
        route(
            "POST",
            PARTNER + "/replay",
            BODY_BYTES_MAX,
            offload,
            (_, asker, body) -> () -> desk.replay(asker, body)));
  }

  private Offload.Work relays(Exchange exchange, PartnerService.Asker asker, byte[] body) {
    String state = exchange.query("state");
    String cursor = exchange.query("cursor");
    String limit = exchange.query("limit");
    return () -> desk.relays(asker, state, cursor, limit);
  }

  private Offload.Work redeliver(Exchange exchange, PartnerService.Asker asker, byte[] body) {
    String relayId = exchange.pathParameter("relayId");
    return () -> desk.redeliver(asker, relayId);
  }

  private Route route(
      String method, String path, int bodyBytesMax, Offload places, Handler handler) {
    boolean isPut = method.equals("PUT");
    Route route =
        new Route(
            method,
            path,
            Scope.OPERATE,
            isPut ? OwnershipRule.IN_BODY : OwnershipRule.IN_QUERY,
            Priority.REPORTS,
            bodyBytesMax,
            exchange -> work(exchange, places, handler));
    return isPut ? route : route.queriedBy("kind");
  }

  private static void work(Exchange exchange, Offload places, Handler handler) {
    byte[] body = exchange.bodyCopy();
    Principal principal = exchange.principal();
    @Nullable String kind = exchange.query("kind");
    PartnerService.Asker asker =
        new PartnerService.Asker(principal, Actor.of(exchange), exchange.pathParameter("id"), kind);
    places.ask(exchange, handler.take(exchange, asker, body));
  }
}
