package gilmok.app;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.imageio.ImageIO;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The map as a user sees and operates it: a browser's page and its object {@code window.gilmok}.
 */
final class MapPage {
  private static final Duration PIXELS_PATIENCE = Duration.ofSeconds(90);
  private static final JsonMapper JSON = JsonMapper.shared();

  final Page page;
  private final RunningServer server;

  MapPage(Page page, RunningServer server) {
    this.page = page;
    this.server = server;
  }

  /** Opens the map without a key. */
  MapPage open() {
    page.navigate(server.uri("/").toString());
    return this;
  }

  /** Opens the map, enters the key, and waits until the map is live. */
  MapPage enter() {
    open();
    give(server.adminKey());
    return awaitLive();
  }

  MapPage give(String key) {
    dialog().waitFor();
    page.locator("#key").fill(key);
    page.locator("#key-form button").click();
    return this;
  }

  MapPage awaitLive() {
    await("window.gilmok?.connection() === 'live'");
    return this;
  }

  Locator dialog() {
    return page.locator("#key-dialog[open]");
  }

  Locator find(String selector) {
    return page.locator(selector);
  }

  /**
   * Waits until a JavaScript condition holds. It is polled by time, as a slow machine draws few
   * frames.
   */
  void await(String condition) {
    await(condition, Chromium.PATIENCE_MILLIS);
  }

  void await(String condition, int patienceMillis) {
    page.waitForFunction(
        "() => " + condition,
        null,
        new Page.WaitForFunctionOptions().setPollingInterval(20).setTimeout(patienceMillis));
  }

  /** A rider as the page shows it; {@code left} and {@code top} in pixels. */
  record Rider(String id, String state, double lat, double lon, int left, int top) {}

  List<Rider> riders() {
    String all = (String) page.evaluate("() => JSON.stringify(window.gilmok?.riders() ?? [])");
    return JSON.readTree(all).valueStream().map(MapPage::rider).toList();
  }

  Rider rider(String id) {
    await("window.gilmok.riders().some((rider) => rider.id === '" + id + "')");
    return riders().stream().filter(rider -> rider.id().equals(id)).findFirst().orElseThrow();
  }

  private static Rider rider(JsonNode one) {
    JsonNode shown = one.path("shown");
    return new Rider(
        one.path("id").asString(),
        one.path("state").asString(),
        shown.path("lat").asDouble(),
        shown.path("lon").asDouble(),
        (int) Math.round(shown.path("left").asDouble()),
        (int) Math.round(shown.path("top").asDouble()));
  }

  /**
   * Moves the map to that place and zoom, and waits until it stands still. A flight that is ending
   * writes its own place into the address late, and may overwrite this one, so this one is set
   * until it stays.
   */
  void look(double lat, double lon, double zoom) {
    page.waitForFunction(
        """
        ([lat, lon, zoom]) => {
          const at = window.gilmok.camera();
          const isThere = Math.abs(at.zoom - zoom) < 0.01
              && Math.abs(at.lat - lat) < 1e-3 && Math.abs(at.lon - lon) < 1e-3;
          if (!isThere) {
            location.hash = `map=${zoom}/${lat}/${lon}`;
          }
          return isThere && !at.isMoving;
        }
        """,
        List.of(lat, lon, zoom),
        new Page.WaitForFunctionOptions().setPollingInterval(20));
  }

  /** A screenshot of the page. */
  BufferedImage picture() {
    try {
      return ImageIO.read(new ByteArrayInputStream(page.screenshot()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Waits until {@code least} to {@code most} pixels around a place have about that colour, as the
   * map is drawn late.
   */
  void awaitPixels(int left, int top, int reach, int colour, int least, int most) {
    long until = System.nanoTime() + PIXELS_PATIENCE.toNanos();
    int found = pixels(picture(), left, top, reach, colour);
    while (found < least || found > most) {
      if (System.nanoTime() - until > 0) {
        Path shown = Path.of("target", "map-" + System.nanoTime() + ".png");
        page.screenshot(new Page.ScreenshotOptions().setPath(shown));
        throw new AssertionError(
            found + " pixels, not " + least + " to " + most + ": " + shown.toAbsolutePath());
      }
      page.waitForTimeout(100); // a picture takes a processor, which the map needs to be drawn
      found = pixels(picture(), left, top, reach, colour);
    }
  }

  /** How many pixels around a place have about that colour, 0xRRGGBB. */
  static int pixels(BufferedImage picture, int left, int top, int reach, int colour) {
    int found = 0;
    for (int y = Math.max(0, top - reach);
        y <= Math.min(picture.getHeight() - 1, top + reach);
        y++) {
      for (int x = Math.max(0, left - reach);
          x <= Math.min(picture.getWidth() - 1, left + reach);
          x++) {
        found += isAbout(picture.getRGB(x, y), colour) ? 1 : 0;
      }
    }
    return found;
  }

  private static boolean isAbout(int rgb, int colour) {
    for (int shift = 0; shift <= 16; shift += 8) {
      if (Math.abs((rgb >> shift & 255) - (colour >> shift & 255)) > 24) {
        return false;
      }
    }
    return true;
  }
}
