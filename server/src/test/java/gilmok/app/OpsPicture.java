package gilmok.app;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Takes the pictures of docs/ops.md, from a server that has run for a quarter of an hour. Not part
 * of the tests:
 *
 * <pre>{@code
 * GILMOK_SINKS_ENABLED=files ./gilmok demo        # prints the URL and a key
 * ./gilmok test -Dtest=OpsPicture -Dops.url=http://127.0.0.1:8080/ -Dops.key=gk_…
 * }</pre>
 *
 * <p>{@code ops.pictures} is the folder to write them to.
 */
final class OpsPicture {
  @Test
  void take() {
    String url = Objects.requireNonNull(System.getProperty("ops.url"), "-Dops.url");
    String key = Objects.requireNonNull(System.getProperty("ops.key"), "-Dops.key");
    Path folder = Path.of(System.getProperty("ops.pictures", "../docs"));
    try (Chromium chromium = Chromium.start()) {
      Browser.NewContextOptions desk = Chromium.options().setViewportSize(1320, 1130);
      Page wide = open(chromium.page(desk.setDeviceScaleFactor(1.1)), url, key);
      wide.locator("[data-panel=requests] .chart").hover();
      save(wide, folder.resolve("ops.png"));

      Browser.NewContextOptions phone = Chromium.options().setViewportSize(375, 1000);
      phone.setLocale("ko-KR").setColorScheme(ColorScheme.DARK).setDeviceScaleFactor(2);
      save(open(chromium.page(phone), url, key), folder.resolve("ops-dark-phone.png"));
    }
  }

  private static Page open(Page page, String url, String key) {
    page.navigate(url + "ops");
    page.locator("#key-dialog[open]").waitFor();
    page.locator("#key").fill(key);
    page.locator("#key-form button").click();
    page.waitForFunction("() => gilmok.samples() > 0");
    page.locator(".ranges button").nth(1).click();
    return page;
  }

  private static void save(Page page, Path picture) {
    page.waitForTimeout(1_000);
    page.screenshot(new Page.ScreenshotOptions().setPath(picture));
  }
}
