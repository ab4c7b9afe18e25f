package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import gilmok.pages.MapArchive;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The background of the maps in a real browser: tiles out of a file, and the world without any. */
@Tag("browser")
final class MapTilesPageIT {
  private static final int WATER = 0xc9d8e2;
  private static final int EARTH = 0xf3f4f1;
  private static final int DARK_WATER = 0x1b2b39;
  private static final int SEA = 0xd3dfe7;
  private static final int DARK_SEA = 0x16222d;
  private static final int LAND = 0xf3f4f1;
  private static Chromium chromium;

  @TempDir Path data;
  @TempDir Path maps;

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
  void everyPage_hadNoError() {
    List<String> faults = List.copyOf(chromium.faults);
    chromium.faults.clear();
    chromium.closePages();
    assertThat(faults).isEmpty();
  }

  @Test
  void tilesOfAFile_areDrawn_lightAndDark_andNamed() throws Exception {
    Path file = maps.resolve("halves.pmtiles");
    new MapArchive().write(file);
    try (RunningServer server = RunningServer.start(data, "map.tiles-file=" + file)) {
      List<String> asked = new CopyOnWriteArrayList<>();
      Page page = chromium.page();
      page.onResponse(
          response -> {
            if (response.url().contains(".pmtiles")) {
              asked.add(response.status() + " " + response.request().allHeaders().get("range"));
            }
          });
      MapPage map = new MapPage(page, server).enter();
      map.look(37.55, 127, 11);
      map.awaitPixels(700, 400, 250, WATER, 20_000, 251_000);
      map.awaitPixels(700, 400, 250, EARTH, 20_000, 251_000);
      assertThat(asked).isNotEmpty().allMatch(one -> one.startsWith("206 bytes="));
      assertThat(map.find("#attribution").textContent()).isEqualTo("Half & half");
      assertThat(map.find("#attribution a").getAttribute("href"))
          .isEqualTo("https://maps.example/c");

      map.find("#theme").click();
      map.awaitPixels(700, 400, 250, DARK_WATER, 20_000, 251_000);
      chromium.closePages();
    }
  }

  @Test
  void withoutTiles_theWorldIsDrawn_whereItCanBeTold_lightAndDark() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Page page = chromium.page();
      List<String> asked = new CopyOnWriteArrayList<>();
      page.onRequest(request -> asked.add(request.url()));
      MapPage map = new MapPage(page, server).enter();
      map.look(37.55, 127, 12);
      assertThat(asked).noneMatch(url -> url.endsWith("/world.json"));
      map.look(36.4, 129.0, 6); // Korea's east coast; the sea is on the right
      map.awaitPixels(1000, 330, 20, SEA, 1_500, 1_681);
      map.awaitPixels(560, 245, 20, LAND, 1_400, 1_681);
      assertThat(asked).anyMatch(url -> url.endsWith("/world.json"));
      map.find("#theme").click();
      map.awaitPixels(1000, 330, 20, DARK_SEA, 1_500, 1_681);
      chromium.closePages();
    }
  }

  @Test
  void customersPage_hasTheSameBackground_asTheSystemIs() throws Exception {
    Path file = maps.resolve("halves.pmtiles");
    new MapArchive().write(file);
    try (RunningServer server = RunningServer.start(data, "map.tiles-file=" + file)) {
      String link = linkToARiderOnTheWay(server);
      Page page = chromium.page(Chromium.options().setColorScheme(ColorScheme.DARK));
      MapPage map = new MapPage(page, server);
      page.navigate(server.uri(link).toString());
      page.waitForSelector("#map .rider");
      map.awaitPixels(640, 300, 250, DARK_WATER, 3_000, 251_000);
      assertThat(page.textContent("#attribution")).isEqualTo("Half & half");
      chromium.closePages();
    }
  }

  private static String linkToARiderOnTheWay(RunningServer server) throws Exception {
    String order =
        "{\"orderId\":\"1\",\"shopId\":\"s\",\"pickup\":{\"lat\":37.5,\"lon\":127,\"address\":\"A\"},"
            + "\"dropoff\":{\"lat\":37.6,\"lon\":127.1,\"address\":\"B\"}}";
    String id = server.post("/v1/deliveries", order).json().path("id").asString();
    String steps = "/v1/deliveries/" + id;
    server.post(steps + "/accept", "");
    server.post(steps + "/assign", "{\"riderId\":\"r-1\"}");
    server.post(steps + "/pickup", "");
    server.post(
        "/v1/traces",
        "{\"riderId\":\"r-1\",\"at\":\"%s\",\"lat\":37.55,\"lon\":127.05}"
            .formatted(Instant.now()));
    RunningServer.Reply link = server.post(steps + "/track", "");
    assertThat(link.status()).as(link.body()).isEqualTo(201);
    return link.json().path("url").asString();
  }
}
