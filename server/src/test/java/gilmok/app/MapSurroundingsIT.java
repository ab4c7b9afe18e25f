package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the map depends on and cannot choose: tiles of another server, the computer's clock. */
@Tag("browser")
final class MapSurroundingsIT {
  private static Chromium chromium;

  @TempDir Path data;

  @BeforeAll
  static void startChromium() {
    chromium = Chromium.start();
  }

  @AfterAll
  static void stopChromium() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @AfterEach
  void closePages() {
    chromium.closePages();
  }

  @Test
  void tiles_areShownBelowTheRiders_andNamed() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer tiles = tileServer(asked);
    try (RunningServer server =
        RunningServer.start(data, "map.tiles=" + template(tiles), "map.attribution=© Tilers")) {
      MapPage map = new MapPage(chromium.page(), server).enter();
      map.look(37.55, 127, 12);
      map.await("document.querySelector('#attribution').textContent === '© Tilers'");
      awaitPixels(map, 0x808080, 30_000);
      assertThat(asked).isNotEmpty().allMatch(path -> path.matches("/1[0-9]/\\d+/\\d+\\.png"));
      assertThat(chromium.faults).isEmpty();
      chromium.closePages();
    } finally {
      tiles.stop(0);
    }
  }

  @Test
  void tiles_thatCannotBeReached_leaveTheGrid_andThePageSaysSo() throws Exception {
    HttpServer gone = tileServer(new CopyOnWriteArrayList<>());
    String template = template(gone);
    gone.stop(0);
    try (RunningServer server = RunningServer.start(data, "map.tiles=" + template)) {
      MapPage map = new MapPage(chromium.page(), server).enter();
      map.look(37.55, 127, 12);
      map.await("document.querySelector('#notices').textContent.includes('cannot be reached')");
      awaitPixels(map, 0xd3d7d3, 150);
      chromium.closePages();
    }
  }

  @Test
  void clock_thatIsOff_isSaid_andAgesAreTheServers() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Page page = chromium.page();
      page.addInitScript("const now = Date.now; Date.now = () => now() + 150_000;");
      MapPage map = new MapPage(page, server).enter();
      server.post(
          "/v1/traces",
          "{\"riderId\":\"r-1\",\"at\":\"%s\",\"lat\":37.5,\"lon\":127,\"speed\":9}"
              .formatted(Instant.now()));
      assertThat(map.rider("r-1").state()).isEqualTo("moving");
      map.await("document.querySelector('#notices').textContent.includes('2 min ahead')");
      map.find("#notices .close").click();
      map.await("document.querySelector('#notices').textContent === ''");
      assertThat(chromium.faults).isEmpty();
      chromium.closePages();
    }
  }

  /**
   * Waits until a part of the map that nothing covers has at least {@code count} pixels of about
   * that colour.
   */
  private static void awaitPixels(MapPage map, int colour, int count) {
    int found = 0;
    for (int i = 0; i < 100 && found < count; i++) {
      found = MapPage.pixels(map.picture(), 1050, 620, 100, colour);
    }
    assertThat(found).isGreaterThanOrEqualTo(count);
  }

  private static String template(HttpServer tiles) {
    return "http://127.0.0.1:" + tiles.getAddress().getPort() + "/{z}/{x}/{y}.png";
  }

  private static HttpServer tileServer(List<String> asked) throws IOException {
    BufferedImage tile = new BufferedImage(256, 256, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = tile.createGraphics();
    graphics.setColor(new Color(0x808080));
    graphics.fillRect(0, 0, 256, 256);
    graphics.dispose();
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(tile, "png", png);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          exchange.getResponseHeaders().set("Content-Type", "image/png");
          exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
          exchange.sendResponseHeaders(200, png.size());
          exchange.getResponseBody().write(png.toByteArray());
          exchange.close();
        });
    server.start();
    return server;
  }
}
