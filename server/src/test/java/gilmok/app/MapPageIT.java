package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import gilmok.app.MapPage.Rider;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The map in a real browser, on a whole server. Nothing here needs the internet. */
@Tag("browser")
final class MapPageIT extends PageRig {
  private static final int MOVING = 0x1660d0;
  private static final int STANDING = 0xd97b00;
  private static final int GROUND = 0xf3f4f1;
  private static final int DARK_GROUND = 0x11161b;

  @Test
  void key_isAskedOnce_andKeptNowhereInThePage() throws Exception {
    MapPage map = new MapPage(chromium.page(), server).open();
    map.give("gk_aaaaaaaaaaaa_wrong");
    map.await("document.querySelector('#key-problem').textContent.includes('not valid')");
    map.give(server.key("{\"name\":\"phone\",\"scopes\":[\"collect\"]}"));
    map.await("document.querySelector('#key-problem').textContent.includes('may not read')");
    map.give(server.adminKey()).awaitLive();
    assertThat(map.dialog().count()).isZero();

    map.page.reload();
    map.awaitLive();
    assertThat(map.dialog().count()).isZero();
    assertThat(map.page.evaluate("() => JSON.stringify(localStorage) + document.cookie").toString())
        .doesNotContain("gk_", "gilmok_session");
    assertThat(map.find("#key").inputValue()).isEmpty();

    MapPage other = new MapPage(chromium.page(), server).open();
    other.dialog().waitFor();
    assertThat(other.riders()).isEmpty();
  }

  @Test
  void key_revoked_isAskedForAgain() throws Exception {
    String key = server.key("{\"name\":\"page\",\"scopes\":[\"read\"]}");
    MapPage map = new MapPage(chromium.page(), server).open().give(key).awaitLive();
    String id = key.substring(3, key.indexOf('_', 3));
    assertThat(server.send(server.adminKey(), "DELETE", "/v1/keys/" + id, "", "").status())
        .isEqualTo(204);
    map.page.reload();
    map.dialog().waitFor();
    map.give(server.adminKey()).awaitLive();
  }

  @Test
  void riders_appear_whereTheyAre_inTheirColours() throws Exception {
    MapPage map = new MapPage(chromium.page(), server).enter();
    map.find("#empty").waitFor();
    assertThat(map.find("#empty").textContent()).contains("./gilmok demo", "./gilmok phones");
    post("mover", 37.5700, 126.9900, 8, ",\"bearing\":90", 0);
    post("stander", 37.5600, 126.9900, 0, "", 0);
    post("sleeper", 37.5600, 127.0000, 5, "", 600);
    map.await("window.gilmok.riders().length === 3");
    map.look(37.565, 126.99, 14);

    Rider mover = map.rider("mover");
    Rider stander = map.rider("stander");
    assertThat(mover.state()).isEqualTo("moving");
    assertThat(stander.state()).isEqualTo("standing");
    assertThat(map.rider("sleeper").state()).isEqualTo("quiet");
    map.await("document.querySelector('#show-quiet b').textContent === '1'");
    map.find("#empty").waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
    BufferedImage picture = map.picture();
    assertThat(MapPage.pixels(picture, mover.left(), mover.top(), 9, MOVING)).isGreaterThan(40);
    assertThat(MapPage.pixels(picture, stander.left(), stander.top(), 9, STANDING))
        .isGreaterThan(40);
    assertThat(MapPage.pixels(picture, mover.left(), mover.top(), 9, STANDING)).isZero();

    map.find("#show-moving").click();
    map.await("document.querySelector('#show-moving').ariaPressed === 'false'");
    map.page.mouse().move(640, 700);
    BufferedImage without = map.picture();
    assertThat(MapPage.pixels(without, mover.left(), mover.top(), 9, MOVING)).isZero();
  }

  @Test
  void riders_move_glidingFromPlaceToPlace() throws Exception {
    MapPage map = new MapPage(chromium.page(), server).enter();
    post("mover", 37.5700, 126.9900, 9, "", 4);
    map.look(37.57, 126.9905, 16);
    Rider before = map.rider("mover");
    assertThat(before.lon()).isCloseTo(126.99, within(1e-6));

    post("mover", 37.5700, 126.9910, 9, "", 0);
    // A frame shows it between the two places; then it is there.
    map.await(
        "window.gilmok.riders().some((r) => r.shown.lon > 126.99005 && r.shown.lon < 126.9909)");
    map.await("window.gilmok.riders().some((r) => Math.abs(r.shown.lon - 126.991) < 1e-6)");
    Rider after = map.rider("mover");
    assertThat(after.left()).isGreaterThan(before.left() + 40);
    BufferedImage picture = map.picture();
    assertThat(MapPage.pixels(picture, after.left(), after.top(), 9, MOVING)).isGreaterThan(60);
    assertThat(MapPage.pixels(picture, before.left(), before.top(), 9, MOVING)).isLessThan(10);

    map.page.mouse().click(after.left(), after.top());
    map.await("window.gilmok.chosen() === 'mover' && window.gilmok.trail() === 1");
    assertThat(map.find("#card").textContent()).contains("mover", "32", "km/h", "Last seen");
  }

  @Test
  void search_suggestsAndFinds() throws Exception {
    for (String id : List.of("kim-1", "kim-2", "lee-1")) {
      post(id, 37.5 + id.length() * 0.001 + (id.hashCode() % 7) * 0.002, 127.0, 5, "", 0);
    }
    MapPage map = new MapPage(chromium.page(), server).enter();
    map.rider("lee-1");
    map.page.keyboard().press("/");
    map.page.keyboard().type("KIM");
    assertThat(map.find("#suggestions [role=option]").allTextContents())
        .satisfiesExactly(
            one -> assertThat(one).startsWith("kim-1"), two -> assertThat(two).startsWith("kim-2"));
    map.page.keyboard().press("ArrowDown");
    map.page.keyboard().press("ArrowDown");
    map.page.keyboard().press("Enter");
    map.await("window.gilmok.chosen() === 'kim-2' && window.gilmok.camera().zoom > 14");
    assertThat(map.find("#card h2").textContent()).isEqualTo("kim-2");

    map.find("#search").fill("nobody");
    map.page.keyboard().press("Enter");
    map.find("#suggestions .none").waitFor();
    map.page.keyboard().press("Escape");
    map.find("#card .close").click();
    map.await("window.gilmok.chosen() === null");
  }

  @Test
  void areas_listWhoIsInside_nearestFirst() throws Exception {
    post("near", 37.5700, 126.9901, 5, "", 0);
    post("farther", 37.5700, 126.9930, 5, "", 0);
    post("outside", 37.5700, 127.0200, 5, "", 0);
    MapPage map = new MapPage(chromium.page(), server).enter();
    map.rider("outside");
    map.look(37.57, 126.99, 14);
    Rider near = map.rider("near");
    Rider farther = map.rider("farther");

    map.find("#draw-circle").click();
    drag(map, near.left(), near.top(), farther.left() + 20, farther.top());
    Locator listed = map.find("#results li b");
    listed.nth(1).waitFor();
    assertThat(listed.allTextContents()).containsExactly("near", "farther");
    assertThat(map.find("#results li .far").first().textContent()).endsWith(" m");

    map.find("#draw-box").click();
    drag(map, farther.left() - 15, farther.top() - 15, farther.left() + 15, farther.top() + 15);
    awaitListed(map, "farther");
    map.find("#results li button").click();
    map.await("window.gilmok.chosen() === 'farther'");
    map.find("#results .close").click();

    map.look(37.57, 127.02, 15);
    map.find("#draw-box").click();
    map.find("#results .row button").click();
    map.await("document.querySelector('#results li b')?.textContent === 'outside'");
    map.page.keyboard().press("Escape");
    assertThat(map.find("#results").isVisible()).isFalse();
  }

  @Test
  void area_followsWhoComesAndGoes() throws Exception {
    post("inside", 37.5700, 126.9900, 5, "", 0);
    post("beside", 37.5700, 127.0000, 5, "", 0);
    MapPage map = new MapPage(chromium.page(), server).enter();
    map.rider("beside");
    map.look(37.57, 126.99, 15);
    Rider inside = map.rider("inside");
    map.find("#draw-box").click();
    drag(map, inside.left() - 60, inside.top() - 60, inside.left() + 60, inside.top() + 60);
    awaitListed(map, "inside");

    map.find("#results li button").focus();
    post("beside", 37.5702, 126.9901, 5, "", -1);
    awaitListed(map, "inside,beside");
    assertThat(map.find("#results [role=status]").textContent()).startsWith("2 riders");
    post("beside", 37.57001, 126.9900, 5, "", -2);
    post("inside", 37.5702, 126.9901, 5, "", -2);
    awaitListed(map, "beside,inside");
    map.await("document.activeElement.querySelector('b')?.textContent === 'inside'");

    post("inside", 37.5800, 126.9901, 5, "", -3);
    awaitListed(map, "beside");
    post("beside", 37.5600, 126.9901, 5, "", -3);
    awaitListed(map, "");
    assertThat(map.find("#results [role=status]").textContent()).isEqualTo("Nobody is here.");
  }

  @Test
  void key_ofAShop_isRefusedWithTheReason() throws Exception {
    String key = server.key("{\"name\":\"s\",\"scopes\":[\"read\"],\"shop\":\"shop-1\"}");
    MapPage map = new MapPage(chromium.page(), server).open().give(key);
    map.await("document.querySelector('#key-text').textContent.includes('does not see riders')");
    assertThat(map.find("#ops").isVisible()).isFalse();
    map.give(server.adminKey()).awaitLive();
    assertThat(map.find("#ops").getAttribute("href")).isEqualTo("/ops");
    assertThat(map.find("#ops").isVisible()).isTrue();
  }

  @Test
  void theme_followsTheSystem_untilChosen_andIsRemembered() {
    Page page = chromium.page(Chromium.options().setColorScheme(ColorScheme.DARK));
    MapPage map = new MapPage(page, server).enter();
    assertThat(ground(map)).isEqualTo(DARK_GROUND);
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    map.await("document.documentElement.dataset.theme === 'light'");
    assertThat(ground(map)).isEqualTo(GROUND);
    map.find("#theme").click();
    assertThat(ground(map)).isEqualTo(DARK_GROUND);
    page.reload();
    map.awaitLive();
    assertThat(ground(map)).isEqualTo(DARK_GROUND);
  }

  @Test
  void language_followsTheBrowser_untilChosen_andIsRemembered() {
    MapPage map = new MapPage(chromium.page(Chromium.options().setLocale("ko-KR")), server).open();
    map.dialog().waitFor();
    assertThat(map.dialog().textContent()).contains("지도 열기");
    map.give("gk_x");
    map.await("document.querySelector('#key-problem').textContent.includes('유효하지 않은')");
    map.give(server.adminKey()).awaitLive();
    assertThat(map.page.getAttribute("html", "lang")).isEqualTo("ko");
    assertThat(map.find("#status").textContent()).isEqualTo("실시간");
    map.find("#language").click();
    assertThat(map.find("#status").textContent()).isEqualTo("Live");
    map.page.reload();
    map.awaitLive();
    assertThat(map.page.getAttribute("html", "lang")).isEqualTo("en");
  }

  @Test
  void withoutTiles_aGridAndAScale_andNoRequestElsewhere() {
    List<String> asked = new CopyOnWriteArrayList<>();
    Page page = chromium.page();
    page.onRequest(request -> asked.add(request.url()));
    MapPage map = new MapPage(page, server).enter();
    map.look(37.55, 127, 12);
    assertThat(map.find("#scale span").textContent()).isEqualTo("1 km");
    map.awaitPixels(1000, 650, 120, 0xd3d7d3, 300, 8000); // beside the card of a map without riders
    map.look(37.55, 127, 17);
    assertThat(map.find("#scale span").textContent()).isEqualTo("50 m");
    String own = server.uri("").toString();
    assertThat(asked)
        .hasSizeGreaterThan(20)
        .allMatch(url -> url.startsWith(own) || url.startsWith("blob:") || url.startsWith("data:"));
  }

  @Test
  void narrow_everythingIsWithinReach_alsoByKeyboard() throws Exception {
    post("r-1", 37.57, 126.99, 5, "", 0);
    Page page = chromium.page(Chromium.options().setViewportSize(380, 700));
    MapPage map = new MapPage(page, server).enter();
    map.rider("r-1");
    assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(380);
    assertThat(
            page.evaluate(
                "() => [...document.querySelectorAll('.tools button, #search')].filter((b) => {"
                    + " const r = b.getBoundingClientRect(); return r.width && (r.left < 0 ||"
                    + " r.right > 380 || r.bottom > 700); }).length"))
        .isEqualTo(0);
    assertThat(
            page.evaluate(
                "() => [...document.querySelectorAll('button, input')].filter((b) =>"
                    + " !(b.ariaLabel || b.textContent.trim() || b.labels?.length)).length"))
        .isEqualTo(0);
    page.keyboard().press("Tab");
    assertThat(page.evaluate("() => document.activeElement.className")).isEqualTo("skip");
    page.keyboard().press("Enter");
    assertThat(page.evaluate("() => document.activeElement.id")).isEqualTo("search");
    page.keyboard().type("r-1");
    page.keyboard().press("Enter");
    map.find("#card").waitFor();
    assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(380);
  }

  @Test
  void serverGone_thePageSaysSo_andForHowLong() throws Exception {
    post("r-1", 37.57, 126.99, 5, "", 0);
    MapPage map = new MapPage(chromium.page(), server).enter();
    map.rider("r-1");
    server.close();
    map.await("/^Connection lost for \\d+ s$/.test(document.querySelector('#status').textContent)");
    map.find(".notice.bad").waitFor();
    assertThat(map.riders()).hasSize(1);
    server = RunningServer.start(data);
  }

  private static void awaitListed(MapPage map, String ids) {
    map.await(
        "[...document.querySelectorAll('#results li b')].map((b) => b.textContent).join() === '"
            + ids
            + "'");
  }

  private static int ground(MapPage map) {
    map.page.mouse().move(640, 500);
    return map.picture().getRGB(645, 703) & 0xffffff;
  }

  private static void drag(MapPage map, int fromX, int fromY, int toX, int toY) {
    map.page.mouse().move(fromX, fromY);
    map.page.mouse().down();
    map.page.mouse().move((fromX + toX) / 2.0, (fromY + toY) / 2.0);
    map.page.mouse().move(toX, toY);
    map.page.mouse().up();
  }

  private void post(String id, double lat, double lon, double speed, String more, int secondsAgo)
      throws Exception {
    send(id, lat, lon, secondsAgo, ",\"speed\":" + speed + more);
  }
}
