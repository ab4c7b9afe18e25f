package gilmok.live;

import gilmok.auth.Scope;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Owner;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.warmup.Warmable;
import java.util.Arrays;
import java.util.List;

/** {@code GET /v1/riders/{id}/position}. */
public final class LiveRoutes implements Warmable {
  private final Live live;
  private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

  /** Answers from that live part. */
  public LiveRoutes(Live live) {
    this.live = live;
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/riders/{id}/position",
            Scope.READ,
            Owner.RIDER_IN_PATH,
            Priority.READS,
            0,
            this::position));
  }

  @Override
  public String name() {
    return "live";
  }

  @Override
  public void warm() {
    Scratch own = new Scratch();
    live.writeJson("", own.view, own.out);
  }

  private void position(Exchange exchange) {
    Scratch own = scratch.get();
    own.out.clear();
    if (live.writeJson(exchange.pathParameter("id"), own.view, own.out)) {
      exchange.reply(200, "application/json", Arrays.copyOf(own.out.bytes(), own.out.size()));
    } else {
      exchange.refuse(Refusal.NOT_FOUND, "id", "no position of this rider is known");
    }
  }

  private static final class Scratch {
    private final EventView view = new EventView();
    private final JsonBuffer out = new JsonBuffer();
  }
}
