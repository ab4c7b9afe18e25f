package gilmok.pages;

import gilmok.http.Exchange;
import gilmok.http.FixedBody;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@code GET /}, the map, and {@code GET /assets/{version}/{file}}, the files it loads. Neither
 * needs a key: the page contains no data of the fleet and asks the user for a key. Handlers run on
 * event loops and do not block.
 */
public final class PageRoutes {
  private static final String HTML = "text/html; charset=utf-8";
  private static final String TYPE_OPTIONS = "X-Content-Type-Options";
  private static final String PERMISSIONS =
      "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()";

  private static final int IN_FLIGHT_MAX = 64;

  private final Assets assets = new Assets();
  private final Offload offload;
  private final FixedBody map;
  private final FixedBody track;
  private final String policy;

  /** Makes the page; the files it loads are read at their first request. */
  public PageRoutes(PagesConfig config, Offloads offloads) {
    offload = offloads.of("pages", "pages cannot be read", IN_FLIGHT_MAX, null);
    map = page("index.html", config);
    track = page("track.html", config);
    policy = policy(config.tilesOrigin());
  }

  private FixedBody page(String file, PagesConfig config) {
    String text =
        new String(Asset.bytes(file), StandardCharsets.UTF_8)
            .replace("{version}", assets.version())
            .replace("{tiles}", escaped(config.tiles()))
            .replace("{attribution}", escaped(config.attribution()));
    return new FixedBody(HTML, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(open("/", this::map), open("/assets/{version}/{file}", this::asset));
  }

  private static Route open(String path, Route.Handler handler) {
    return Route.open("GET", path, Priority.REPORTS, 0, handler);
  }

  private void map(Exchange exchange) {
    send(exchange, map);
  }

  /**
   * Sends the customer's page; the caller has checked the link. The page requests JSON from its own
   * URL.
   */
  public void track(Exchange exchange) {
    exchange.replyHeader("Vary", "Accept");
    send(exchange, track);
  }

  private void send(Exchange exchange, FixedBody page) {
    exchange.replyHeader("Content-Security-Policy", policy);
    exchange.replyHeader("Referrer-Policy", "no-referrer");
    exchange.replyHeader("Permissions-Policy", PERMISSIONS);
    exchange.replyHeader("Cross-Origin-Opener-Policy", "same-origin");
    exchange.replyHeader("Cache-Control", "no-cache");
    exchange.replyHeader(TYPE_OPTIONS, "nosniff");
    page.replyIfChanged(exchange);
  }

  private void asset(Exchange exchange) {
    Asset asset = assets.find(exchange.pathParameter("file"));
    if (asset == null || !exchange.pathParameter("version").equals(assets.version())) {
      exchange.refuse(Refusal.NOT_FOUND, "file", "no such file in this version");
      return;
    }
    FixedBody known = asset.contentIfRead();
    if (known != null) {
      sendAsset(exchange, known);
    } else {
      offload.ask(
          exchange,
          () -> {
            FixedBody read = asset.content();
            return answering -> answering.execute(() -> sendAsset(answering, read));
          });
    }
  }

  private static void sendAsset(Exchange exchange, FixedBody content) {
    exchange.replyHeader("Cache-Control", "public, max-age=31536000, immutable");
    exchange.replyHeader("Cross-Origin-Resource-Policy", "same-origin");
    exchange.replyHeader(TYPE_OPTIONS, "nosniff");
    content.reply(exchange);
  }

  /** The content security policy of the page: its own files, and tiles from the one origin. */
  private static String policy(String tilesOrigin) {
    String tiles = tilesOrigin.isEmpty() ? "" : " " + tilesOrigin;
    return "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self';"
        + " img-src 'self' data: blob:%s; connect-src 'self'%s;".formatted(tiles, tiles)
        + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
