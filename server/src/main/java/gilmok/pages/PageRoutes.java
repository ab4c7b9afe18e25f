package gilmok.pages;

import gilmok.http.Exchange;
import gilmok.http.Owner;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@code GET /}, the map, and {@code GET /assets/{version}/{file}}, what it loads. Neither needs a
 * key: the page holds nothing of the fleet and asks for the key itself.
 */
public final class PageRoutes {
  private static final String PERMISSIONS =
      "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()";

  private final Assets assets = new Assets();
  private final Page map;
  private final Page track;
  private final String policy;

  /** A page as it is sent, and what it is known by. */
  private record Page(Asset.Content content, String tag) {}

  /** Makes the page; what it loads is read when it is first asked for. */
  public PageRoutes(PagesConfig config) {
    map = page("index.html", config);
    track = page("track.html", config);
    policy = policy(config.tilesOrigin());
  }

  private Page page(String file, PagesConfig config) {
    String text =
        new String(Asset.bytes(file), StandardCharsets.UTF_8)
            .replace("{version}", assets.version())
            .replace("{tiles}", escaped(config.tiles()))
            .replace("{attribution}", escaped(config.attribution()));
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Page(new Asset.Content(bytes), '"' + Assets.shortHash(bytes) + '"');
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(open("/", this::map), open("/assets/{version}/{file}", this::asset));
  }

  private static Route open(String path, Route.Handler handler) {
    return new Route("GET", path, null, Owner.OPEN, Priority.REPORTS, 0, handler);
  }

  private void map(Exchange exchange) {
    send(exchange, map);
  }

  /** The customer's page, for whoever knows that the link is good; it asks its own URL for JSON. */
  public void track(Exchange exchange) {
    exchange.replyHeader("Vary", "Accept");
    send(exchange, track);
  }

  private void send(Exchange exchange, Page page) {
    exchange.replyHeader("Content-Security-Policy", policy);
    exchange.replyHeader("Referrer-Policy", "no-referrer");
    exchange.replyHeader("Permissions-Policy", PERMISSIONS);
    exchange.replyHeader("Cross-Origin-Opener-Policy", "same-origin");
    exchange.replyHeader("Cache-Control", "no-cache");
    exchange.replyHeader("ETag", page.tag);
    String known = exchange.header("if-none-match");
    if (known != null && known.contains(page.tag)) {
      exchange.reply(304);
    } else {
      send(exchange, "text/html; charset=utf-8", page.content);
    }
  }

  private void asset(Exchange exchange) {
    Asset asset = assets.find(exchange.pathParameter("file"));
    if (asset == null || !exchange.pathParameter("version").equals(assets.version())) {
      exchange.refuse(Refusal.NOT_FOUND, "file", "no such file in this version");
      return;
    }
    Asset.Content known = asset.contentIfRead();
    if (known != null) {
      send(exchange, asset, known);
    } else {
      Thread.ofVirtual()
          .name("gilmok-pages")
          .start(
              () -> {
                Asset.Content read = asset.content();
                exchange.execute(() -> send(exchange, asset, read));
              });
    }
  }

  private static void send(Exchange exchange, Asset asset, Asset.Content content) {
    exchange.replyHeader("Cache-Control", "public, max-age=31536000, immutable");
    exchange.replyHeader("Cross-Origin-Resource-Policy", "same-origin");
    send(exchange, asset.type(), content);
  }

  private static void send(Exchange exchange, String type, Asset.Content content) {
    exchange.replyHeader("X-Content-Type-Options", "nosniff");
    exchange.replyHeader("Vary", "Accept-Encoding");
    String codings = exchange.header("accept-encoding");
    if (codings != null && codings.contains("gzip") && !codings.contains("gzip;q=0")) {
      exchange.replyHeader("Content-Encoding", "gzip");
      exchange.reply(200, type, content.gzip);
    } else {
      exchange.reply(200, type, content.plain);
    }
  }

  /** What the page may do: run and show its own files, and fetch tiles from that one origin. */
  private static String policy(String tilesOrigin) {
    String tiles = tilesOrigin.isEmpty() ? "" : " " + tilesOrigin;
    return "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self';"
        + " img-src 'self' data: blob:"
        + tiles
        + "; connect-src 'self'"
        + tiles
        + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
