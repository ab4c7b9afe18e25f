package gilmok.phones;

import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /v1/phones}: instructions for setting up a rider's phone, for each app. It is a POST
 * because it receives a key, which must not appear in a URL; nothing is stored. QR codes take too
 * long for an event loop and are drawn by {@link Offload}.
 */
public final class GuideRoutes {
  private static final int BODY_BYTES_MAX = 4 << 10;
  private static final int IN_FLIGHT_MAX = 4;

  private final JsonMapper json = JsonMapper.shared();
  private final Offload offload;

  /** Routes that draw their codes on the given offloads. */
  public GuideRoutes(Offloads offloads) {
    offload = offloads.of("phones", "guides cannot be drawn", IN_FLIGHT_MAX, null);
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        Route.operate("POST", "/v1/phones", Priority.REPORTS, BODY_BYTES_MAX, this::guide));
  }

  private void guide(Exchange exchange) {
    switch (GuideBody.read(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength())) {
      case GuideBody.Unreadable _ -> exchange.refuse(Refusal.UNREADABLE);
      case GuideBody.Wrong wrong -> exchange.refuse(Refusal.INVALID, wrong.field(), wrong.reason());
      case GuideBody.Wish wish -> draw(exchange, wish);
    }
  }

  private void draw(Exchange exchange, GuideBody.Wish wish) {
    offload.ask(
        exchange,
        () -> {
          byte[] bytes = json.writeValueAsBytes(shown(wish));
          return answering -> answering.execute(() -> answer(answering, bytes));
        });
  }

  private static void answer(Exchange exchange, byte[] bytes) {
    exchange.replyHeader("Cache-Control", "no-store");
    exchange.reply(200, "application/json", bytes);
  }

  private ObjectNode shown(GuideBody.Wish wish) {
    ObjectNode body = json.createObjectNode();
    ArrayNode items = body.putArray("items");
    for (PhoneApp app : wish.apps()) {
      Guide guide = Guides.of(app, wish.setup());
      ObjectNode item = items.addObject();
      item.put("app", app.label());
      item.put("title", app.title());
      ArrayNode platforms = item.putArray("platforms");
      app.platforms().forEach(platforms::add);
      item.put("device", guide.device());
      item.put("menu", guide.menu());
      item.put("url", guide.url());
      item.put("keyPlace", app.keyPlace().label());
      ArrayNode settings = item.putArray("settings");
      for (Guide.Setting one : guide.settings()) {
        settings.addObject().put("name", one.name()).put("value", one.value());
      }
      item.put("link", guide.link());
      item.put("qr", new Qr(guide.code()).svg());
    }
    body.putNull("next");
    return body;
  }
}
