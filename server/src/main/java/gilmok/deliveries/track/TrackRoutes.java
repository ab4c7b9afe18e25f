package gilmok.deliveries.track;

import gilmok.auth.Binding;
import gilmok.auth.Scope;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.DeliveryStore;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes {@code POST /v1/deliveries/{id}/track}, which makes a customer's link, and {@code GET
 * /track/{token}}, which answers with the page, or with its data as JSON; a link that was cut
 * before its token is refused like one that was cut within it. Access to the store is left to
 * {@link Offload}.
 */
public final class TrackRoutes {
  private static final int IN_FLIGHT_MAX = 64;

  private final TrackConfig config;
  private final byte[] secret;
  private final DeliveryStore store;
  private final TrackService tracking;
  private final CustomerPage page;
  private final InstantSource clock;
  private final Offload offload;

  /**
   * The routes.
   *
   * @param secret signs links
   * @param latest returns a rider's latest position; null when there is none
   * @param page answers a browser
   */
  public TrackRoutes(
      TrackConfig config,
      byte[] secret,
      DeliveryStore store,
      Function<String, @Nullable RiderFix> latest,
      CustomerPage page,
      InstantSource clock,
      Offloads offloads) {
    this.config = config;
    this.secret = secret.clone();
    this.store = store;
    this.page = page;
    this.clock = clock;
    offload = offloads.of("track", "deliveries cannot be looked up", IN_FLIGHT_MAX, null);
    tracking = new TrackService(store, latest, config.positionAgeMax(), new RecentSpeeds());
  }

  /** All of them. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            "/v1/deliveries/{id}/track",
            Scope.OPERATE,
            OwnershipRule.BY_ID,
            Priority.READS,
            0,
            this::link),
        Route.open("GET", "/track/{token}", Priority.READS, 0, this::track),
        Route.open("GET", "/track/", Priority.READS, 0, this::cut),
        Route.open("GET", "/track", Priority.READS, 0, this::cut));
  }

  private void link(Exchange exchange) {
    String id = exchange.pathParameter("id");
    if (!DeliveryId.isOne(id)) {
      exchange.refuse(Refusal.NOT_FOUND, "id", "no such delivery");
      return;
    }
    Binding binding = exchange.principal().binding();
    offload.ask(
        exchange,
        () -> {
          Delivery delivery = store.find(id);
          if (delivery == null) {
            return id.compareTo(store.removedTo()) <= 0
                ? Answer.refused(Refusal.GONE, "id", "the delivery is no longer kept")
                : Answer.refused(Refusal.NOT_FOUND, "id", "no such delivery");
          }
          return binding == null || (binding.kind() != Binding.Kind.RIDER && delivery.isOf(binding))
              ? Answer.json(201, link(id))
              : Answer.of(Refusal.NOT_YOURS);
        });
  }

  private byte[] link(String id) {
    long expiry = (clock.millis() + config.keep().toMillis()) / 1000 * 1000;
    String token = new TrackToken(id, expiry).signed(secret);
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"token\":").string(token);
    out.ascii(",\"url\":").string(config.url() + "/track/" + token);
    out.ascii(",\"expiresAt\":").time(expiry).put('}');
    return out.copy();
  }

  private void cut(Exchange exchange) {
    guard(exchange);
    String accept = exchange.header("accept");
    refuse(exchange, accept, Refusal.NOT_FOUND, "no such link");
  }

  private static void guard(Exchange exchange) {
    exchange.replyHeader("Referrer-Policy", "no-referrer");
    exchange.replyHeader("X-Robots-Tag", "noindex");
    exchange.replyHeader("Vary", "Accept, Accept-Language");
  }

  private void track(Exchange exchange) {
    guard(exchange);
    String accept = exchange.header("accept");
    TrackToken token = TrackToken.of(exchange.pathParameter("token"), secret);
    if (token == null) {
      refuse(exchange, accept, Refusal.NOT_FOUND, "no such link");
    } else if (clock.millis() >= token.expiresAtMillis()) {
      refuse(exchange, accept, Refusal.GONE, "the link has expired");
    } else if (wants(accept, "application/json")) {
      exchange.replyHeader("Cache-Control", "no-store");
      offload.ask(exchange, () -> look(token));
    } else {
      page.answer(exchange, null);
    }
  }

  /** Programs are told by problem+json; a browser that opens the link asks for HTML. */
  private void refuse(Exchange exchange, @Nullable String accept, Refusal refusal, String reason) {
    if (wants(accept, "text/html") && !wants(accept, "application/json")) {
      page.answer(exchange, refusal);
    } else {
      exchange.refuse(refusal, "token", reason);
    }
  }

  private static boolean wants(@Nullable String accept, String type) {
    return accept != null && accept.contains(type);
  }

  private Answer look(TrackToken token) throws IOException, InterruptedException {
    TrackView view = tracking.look(token.deliveryId(), clock.millis());
    return view == null
        ? Answer.refused(Refusal.GONE, "token", "the delivery is no longer kept")
        : Answer.json(view.json());
  }
}
