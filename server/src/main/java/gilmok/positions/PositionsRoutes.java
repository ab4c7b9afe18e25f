package gilmok.positions;

import gilmok.auth.Scope;
import gilmok.event.JsonBuffer;
import gilmok.geo.Box;
import gilmok.http.Exchange;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.warmup.Warmable;
import java.util.List;

/**
 * {@code GET /v1/riders/{id}/position}, {@code GET /v1/riders} and {@code GET
 * /v1/stream/positions}. Handlers run on event loops and do not block.
 */
public final class PositionsRoutes implements Warmable {
  private static final int RADIUS_METRES = 2000;

  /** Half of the Earth's circumference: every rider is within it. */
  private static final int RADIUS_METRES_MAX = 20_037_509;

  private static final int NEAR_LIMIT = 10;
  private static final int NEAR_LIMIT_MAX = 1000;
  private static final int BOX_LIMIT = 1000;
  private static final int BOX_LIMIT_MAX = PositionSearch.LIMIT_MAX;
  private static final int AGE_SECONDS_MAX = 999_999_999;

  private final Positions positions;
  private final StreamRoute stream;
  private final ThreadLocal<Scratch> scratch;

  /** Routes that answer from the given live part. */
  public PositionsRoutes(Positions positions) {
    this.positions = positions;
    this.stream = new StreamRoute(positions);
    this.scratch = ThreadLocal.withInitial(() -> Scratch.of(positions));
  }

  /** The routes, for the server. */
  public List<Route> routes() {
    return List.of(
        route("/v1/riders/{id}/position", OwnershipRule.RIDER_IN_PATH, this::position),
        route("/v1/riders", OwnershipRule.UNBOUND_ONLY, this::riders)
            .queriedBy("near", "radius", "bbox", "limit", "maxAge"),
        route("/v1/stream/positions", OwnershipRule.IN_QUERY, stream::handle)
            .queriedBy("rider*", "bbox", "interval", "lastEventId"));
  }

  private static Route route(String path, OwnershipRule ownershipRule, Route.Handler handler) {
    return new Route("GET", path, Scope.READ, ownershipRule, Priority.READS, 0, handler);
  }

  @Override
  public String name() {
    return "positions";
  }

  private void position(Exchange exchange) {
    Scratch own = scratch.get();
    own.out.clear();
    RiderKey rider = RiderKey.of(exchange.pathParameter("id"));
    if (!rider.isHidden(own.hidden)
        && positions.positions().find(rider, own.copy) != RiderTable.NONE) {
      own.copy.writeJson(own.out);
      reply(exchange, own.out);
    } else {
      exchange.refuse(Refusal.NOT_FOUND, "id", "no position of this rider is known");
    }
  }

  private void riders(Exchange exchange) {
    PositionQuestion question = new PositionQuestion(exchange);
    String near = exchange.query("near");
    String bbox = exchange.query("bbox");
    int maxAge = question.whole("maxAge", 0, 1, AGE_SECONDS_MAX);
    long atMin = maxAge == 0 ? Long.MIN_VALUE : positions.millis() - 1000L * maxAge;
    Scratch own = scratch.get();
    if (near != null && bbox != null) {
      question.wrong("bbox", "not together with near");
    } else if (near != null) {
      near(question, near, atMin, own.search);
    } else if (bbox != null) {
      box(question, bbox, atMin, own.search);
    } else {
      question.wrong("near", "missing; or give bbox");
    }
    if (!question.isRefused()) {
      own.out.clear();
      own.search.writeJson(own.out);
      reply(exchange, own.out);
    }
  }

  private static void near(
      PositionQuestion question, String near, long atMin, PositionSearch search) {
    int[] point = question.degrees("near", near, "lat,lon", new int[] {90, 180});
    double radius = question.number("radius", RADIUS_METRES, 0, RADIUS_METRES_MAX);
    int limit = question.whole("limit", NEAR_LIMIT, 1, NEAR_LIMIT_MAX);
    if (question.isGood()) {
      search.near(point[0], point[1], radius, limit, atMin);
    }
  }

  private static void box(
      PositionQuestion question, String bbox, long atMin, PositionSearch search) {
    Box box = question.box("bbox", bbox);
    int limit = question.whole("limit", BOX_LIMIT, 1, BOX_LIMIT_MAX);
    if (question.has("radius")) {
      question.wrong("radius", "only with near");
    }
    if (question.isGood()) {
      search.within(box, limit, atMin);
    }
  }

  private static void reply(Exchange exchange, JsonBuffer out) {
    exchange.reply(200, "application/json", out.copy());
  }

  private record Scratch(
      PositionCopy copy, JsonBuffer out, HiddenRiders hidden, PositionSearch search) {
    static Scratch of(Positions positions) {
      HiddenRiders hidden = positions.hidden();
      return new Scratch(
          new PositionCopy(),
          new JsonBuffer(),
          hidden,
          new PositionSearch(positions.positions(), hidden));
    }
  }
}
