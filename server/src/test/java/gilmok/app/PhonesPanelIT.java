package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.LuminanceSource;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.ReaderException;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The map's panel "Phones" in a real browser, on a whole server. */
@Tag("browser")
final class PhonesPanelIT extends PageRig {
  @Test
  void rider_getsAKeyAndACodeThatAPhoneCanRead() throws Exception {
    MapPage map = open(chromium.page(), server.adminKey());
    map.find("#phones").click();
    map.find("#phones-rider").fill("r-7");
    map.find("#phones-url").fill("https://fleet.example.com");
    map.find("#phones-panel button[type=submit]").click();

    map.find("#phones-tab-overland").click();
    Locator overland = map.find("#phones-app-overland");
    assertThat(map.find("#phones-app-owntracks").isVisible()).isFalse();
    assertThat(map.find("#phones-hint").isVisible()).isFalse();
    String key = overland.locator("dt:text-is('Access Token') + dd code").textContent();
    assertThat(read(overland.locator(".qr")))
        .isEqualTo(
            "overland://setup?url=https%3A%2F%2Ffleet.example.com%2Foverland&token="
                + key
                + "&device_id=r-7");
    String mine = "{\"riderId\":\"r-7\",\"at\":1,\"lat\":1,\"lon\":1}";
    assertThat(server.send(key, "POST", "/v1/traces", "application/json", mine).status())
        .isEqualTo(202);
    assertThat(
            server
                .send(key, "POST", "/v1/traces", "application/json", mine.replace("r-7", "r-8"))
                .status())
        .isEqualTo(403);

    assertThat(daysLeft("phone r-7")).isEqualTo(89);
    assertThat(map.find("#phones-panel .expires").textContent())
        .matches("The key in it expires on \\w+ \\d+, 20\\d\\d\\.");

    map.find("#phones-close").click();
    map.await("document.querySelector('#phones-panel').childElementCount === 0");
    assertThat(map.page.content()).doesNotContain(key);
  }

  @Test
  void wrongAddress_isToldInTheReadersLanguage_andNoKeyIsMade() throws Exception {
    MapPage map = open(chromium.page(Chromium.options().setLocale("ko-KR")), server.adminKey());
    map.find("#phones").click();
    assertThat(map.find("#phones-panel").textContent()).contains("라이더 ID");
    map.find("#phones-rider").fill("r-7");
    map.find("#phones-url").fill("fleet");
    map.find("#phones-panel button[type=submit]").click();
    map.await("document.querySelector('#phones-panel .problem').textContent.includes('URL이 아닙니다')");
    assertThat(server.get("/v1/keys").body()).doesNotContain("phone r-7");
  }

  private long daysLeft(String name) throws Exception {
    for (JsonNode key : server.get("/v1/keys").json().path("items")) {
      if (key.path("name").asString().equals(name)) {
        Instant end = Instant.parse(key.path("expiresAt").asString());
        return Duration.between(Instant.now(), end).toDays();
      }
    }
    throw new AssertionError("no key " + name);
  }

  @Test
  void shownCodes_areGone_whenSomethingElseIsAsked() throws Exception {
    MapPage map = open(chromium.page(), server.adminKey());
    map.find("#phones").click();
    map.find("#phones-rider").fill("r-7");
    map.find("#phones-url").fill("https://fleet.example.com");
    map.find("#phones-panel button[type=submit]").click();
    map.find("#phones-app-owntracks").waitFor();
    map.find("#phones-url").fill("https://other.example.com");
    assertThat(map.find(".guides").textContent()).isEmpty();

    map.find("#phones-panel button[type=submit]").click();
    map.find("#phones-app-owntracks").waitFor();
    assertThat(map.find(".guides").textContent())
        .contains("https://other.example.com")
        .doesNotContain("https://fleet.example.com");
    map.find("#phones-url").fill("fleet");
    map.find("#phones-panel button[type=submit]").click();
    map.await("document.querySelector('#phones-panel .problem').textContent !== ''");
    assertThat(map.find(".guides").textContent()).isEmpty();
  }

  @Test
  void keyThatMayOnlyRead_isNotOfferedThePanel() throws Exception {
    MapPage map = open(chromium.page(), server.key("{\"name\":\"looking\",\"scopes\":[\"read\"]}"));
    map.awaitLive();
    assertThat(map.find("#phones").isVisible()).isFalse();
    assertThat(map.find("#list-toggle").isVisible()).isTrue();
  }

  @Test
  void keyThatMayOperate_makesAPhonesKey() throws Exception {
    String key = server.key("{\"name\":\"desk\",\"scopes\":[\"read\",\"operate\"]}");
    MapPage map = open(chromium.page(), key);
    map.find("#phones").click();
    map.find("#phones-rider").fill("r-7");
    map.find("#phones-panel button[type=submit]").click();
    map.find("#phones-app-owntracks").waitFor();
  }

  private MapPage open(Page page, String key) {
    MapPage map = new MapPage(page, server).open().give(key);
    map.await("!document.querySelector('#key-dialog').open");
    return map;
  }

  /**
   * The text of the QR code on the page. An early screenshot may show a page still being laid out.
   */
  private static String read(Locator code) throws Exception {
    AtomicReference<String> text = new AtomicReference<>("");
    Program.await(
        () -> {
          try {
            text.set(decoded(code));
            return true;
          } catch (ReaderException unclear) {
            return false;
          }
        });
    return String.valueOf(text.get());
  }

  private static String decoded(Locator code) throws Exception {
    // Of the page, cut out: a picture of the element alone waits for a page at rest, which a busy
    // machine may never show.
    code.scrollIntoViewIfNeeded();
    BoundingBox box = code.boundingBox();
    byte[] cut =
        code.page()
            .screenshot(new Page.ScreenshotOptions().setClip(box.x, box.y, box.width, box.height));
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(cut));
    int[] pixels =
        image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    LuminanceSource source = new RGBLuminanceSource(image.getWidth(), image.getHeight(), pixels);
    return new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source))).getText();
  }
}
