package gilmok.app;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Takes the README's picture of the map, from a server that runs already. Not part of the tests:
 *
 * <pre>{@code
 * ./gilmok demo        # prints the URL and a key; give it some minutes for the trails
 * ./gilmok test -Dtest=MapPicture -Dmap.url=http://127.0.0.1:8080/ -Dmap.key=gk_…
 * }</pre>
 *
 * <p>{@code map.picture} is the file to write, {@code map.watch} how many seconds trails may grow
 * while the page looks on, {@code map.place} zoom, latitude and longitude. The picture in the
 * repository has a palette of 256 colours, which makes it less than half as large.
 */
final class MapPicture {
  @Test
  void take() {
    String url = Objects.requireNonNull(System.getProperty("map.url"), "-Dmap.url");
    String key = Objects.requireNonNull(System.getProperty("map.key"), "-Dmap.key");
    Path picture = Path.of(System.getProperty("map.picture", "../docs/map.png"));
    String place = System.getProperty("map.place", "11.9/37.5330/126.9950");
    String rider = System.getProperty("map.rider", "");
    try (Chromium chromium = Chromium.start()) {
      Browser.NewContextOptions options = Chromium.options().setDeviceScaleFactor(1.4);
      Page page = chromium.page(options.setViewportSize(1280, 760));
      page.navigate(url + "#map=" + place);
      page.locator("#key").fill(key);
      page.locator("#key-form button").click();
      page.waitForFunction("() => window.gilmok.connection() === 'live'");
      double seconds = Double.parseDouble(System.getProperty("map.watch", "60"));
      page.waitForTimeout(seconds * 1000);
      if (!rider.isEmpty()) {
        page.locator("#search").fill(rider);
        page.keyboard().press("Enter");
      } else {
        clickAMovingRider(page);
      }
      page.waitForTimeout(3000);
      page.mouse().move(40, 600);
      page.waitForTimeout(500);
      page.screenshot(new Page.ScreenshotOptions().setPath(picture));
    }
  }

  /** Clicks the moving rider nearest to the place where the picture shows one best. */
  private static void clickAMovingRider(Page page) {
    String picked =
        (String)
            page.evaluate(
                """
                () => {
                  const far = ({ shown }) => Math.hypot(shown.left - 800, shown.top - 420);
                  const moving = window.gilmok.riders().filter((r) => r.state === "moving");
                  const { left, top } = moving.sort((a, b) => far(a) - far(b))[0].shown;
                  return `${left} ${top}`;
                }
                """);
    String[] place = picked.split(" ", -1);
    page.mouse().click(Double.parseDouble(place[0]), Double.parseDouble(place[1]));
  }
}
