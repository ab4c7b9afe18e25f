package gilmok.pages;

import gilmok.http.Exchange;
import gilmok.http.FixedBody;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /}, the map, {@code GET /ops}, the last hour of the server, {@code GET
 * /assets/{version}/{file}}, the files they load, and {@code GET /map/tiles.pmtiles}, the map's
 * background. None needs a key: the pages contain no data of the fleet and ask the user for a key.
 * Handlers run on event loops and do not block.
 */
public final class PageRoutes implements Closeable {
  private static final String HTML = "text/html; charset=utf-8";
  private static final String TYPE_OPTIONS = "X-Content-Type-Options";
  private static final String PERMISSIONS =
      "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()";

  private static final int IN_FLIGHT_MAX = 64;

  private final Assets assets = new Assets();
  private final Offload offload;
  private final TileFile tiles;
  private final ZoneId zone;
  private final RefusedLink refusedLink = new RefusedLink(assets.version());
  private volatile Pages pages;

  /** The pages as the settings have them. */
  private record Pages(FixedBody map, FixedBody track, FixedBody ops, String policy) {}

  /**
   * Makes the pages; the files they load are read at their first request.
   *
   * @throws IOException when {@code map.tiles-file} cannot be used
   */
  public PageRoutes(PagesConfig config, Offloads offloads) throws IOException {
    offload = offloads.of("pages", "pages cannot be read", IN_FLIGHT_MAX, null);
    tiles = new TileFile(config.tilesFile(), offload);
    zone = config.zone();
    pages = pages(config);
  }

  /**
   * Applies changed settings, and a changed file of tiles; days stay those of the zone that the
   * server began with. Blocks while the file is read.
   */
  public void take(PagesConfig config) {
    tiles.take(config.tilesFile());
    pages = pages(config);
  }

  private Pages pages(PagesConfig config) {
    return new Pages(
        page("index.html", config),
        page("track.html", config),
        page("ops.html", config),
        policy(config.tilesOrigin()));
  }

  private FixedBody page(String file, PagesConfig config) {
    TileArchive archive = tiles.archive();
    String notice = config.attribution();
    if (archive != null && notice.isEmpty()) {
      notice = archive.attribution();
    }
    String text =
        new String(Asset.bytes(file), StandardCharsets.UTF_8)
            .replace("{version}", assets.version())
            .replace("{tiles}", escaped(config.tiles()))
            .replace("{archive}", archive == null ? "" : TileFile.PATH + "?v=" + archive.tag())
            .replace("{kind}", archive == null || archive.isVector() ? "vector" : "raster")
            .replace("{login}", config.hasLogin() ? "" : "hidden")
            .replace("{zone}", zone.normalized().equals(ZoneOffset.UTC) ? "UTC" : zone.getId())
            .replace("{attribution}", escaped(notice));
    return new FixedBody(HTML, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        open("/", Priority.REPORTS, this::map),
        open("/ops", Priority.ALWAYS, this::ops),
        // In memory, and so the page /ops opens on a server that has no room
        open("/assets/{version}/{file}", Priority.ALWAYS, this::asset),
        open(TileFile.PATH, Priority.REPORTS, tiles::answer));
  }

  private static Route open(String path, Priority priority, Route.Handler handler) {
    return Route.open("GET", path, priority, 0, handler);
  }

  private void ops(Exchange exchange) {
    Pages now = pages;
    send(exchange, now.policy, now.ops);
  }

  private void map(Exchange exchange) {
    Pages now = pages;
    send(exchange, now.policy, now.map);
  }

  /**
   * Sends the customer's page; the caller has checked the link. The page requests JSON from its own
   * URL.
   *
   * @param refusal why the link is refused; null for one that is valid
   */
  public void track(Exchange exchange, @Nullable Refusal refusal) {
    Pages now = pages;
    if (refusal == null) {
      send(exchange, now.policy, now.track);
    } else {
      guard(exchange, now.policy);
      exchange.replyHeader("Cache-Control", "no-store");
      exchange.refuse(refusal, refusedLink.page(refusal, exchange.prefersKorean()));
    }
  }

  private static void send(Exchange exchange, String policy, FixedBody page) {
    guard(exchange, policy);
    exchange.replyHeader("Cache-Control", "no-cache");
    page.replyIfChanged(exchange);
  }

  private static void guard(Exchange exchange, String policy) {
    exchange.replyHeader("Content-Security-Policy", policy);
    exchange.replyHeader("Referrer-Policy", "no-referrer");
    exchange.replyHeader("Permissions-Policy", PERMISSIONS);
    exchange.replyHeader("Cross-Origin-Opener-Policy", "same-origin");
    exchange.replyHeader(TYPE_OPTIONS, "nosniff");
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

  @Override
  public void close() {
    tiles.close();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
