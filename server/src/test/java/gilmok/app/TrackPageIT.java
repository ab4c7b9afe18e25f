package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The customer's page and the API's page in a real browser. Nothing here needs the internet. */
@Tag("browser")
final class TrackPageIT extends DeliveryRig {
  private static final String ASK_NOW =
      "() => document.dispatchEvent(new Event('visibilitychange'))";

  /** What is wider than its place, with its widths; empty when all fits. */
  private static final String TOO_WIDE =
      "() => [document.documentElement, ...document.querySelectorAll('#card, #card *')]"
          + ".filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth)"
          + ".map(e => `${e.tagName} ${e.id}: ${e.scrollWidth} > ${e.clientWidth}`).join()";

  /** How often the arrival's box is as high as a line of it. */
  private static final String LINES =
      "() => { const e = document.querySelector('#arrival');"
          + " return Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)); }";

  private static Chromium chromium;

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
  void everyPage_hadNoErrorAndBrokeNoPolicy() {
    List<String> faults = List.copyOf(chromium.faults);
    chromium.closePages();
    assertThat(faults).isEmpty();
  }

  /**
   * Where it is 23 something now: arrivals are on the next day, mostly. In such names, + is west.
   */
  private static String beforeMidnight() {
    return "Etc/GMT%+d".formatted((LocalTime.now(ZoneOffset.UTC).getHour() + 13) % 24 - 12);
  }

  private static Page phone(String locale, int width, ColorScheme scheme) {
    Browser.NewContextOptions options =
        new Browser.NewContextOptions()
            .setViewportSize(width, 740)
            .setLocale(locale)
            .setTimezoneId(beforeMidnight())
            .setColorScheme(scheme);
    Page page = chromium.page(options);
    page.addInitScript(
        "window.jumps = 0; new PerformanceObserver(list => list.getEntries().forEach("
            + "e => window.jumps += e.value)).observe({type: 'layout-shift', buffered: true})");
    return page;
  }

  private String link(String id) throws Exception {
    return call("POST", "/v1/deliveries/" + id + "/track", "").at("/url");
  }

  private void position(double lat, double lon) throws Exception {
    String trace =
        "{\"riderId\":\"r-1\",\"at\":%d,\"lat\":%s,\"lon\":%s}"
            .formatted(System.currentTimeMillis(), lat, lon);
    assertThat(call("POST", "/v1/traces", trace).status()).isEqualTo(202);
    server.awaitSeen();
  }

  private static void await(Page page, String id, String text) {
    page.waitForFunction(
        "([id, text]) => document.getElementById(id).textContent.includes(text)",
        List.of(id, text));
  }

  private static BoundingBox box(Page page, String selector) {
    return page.locator(selector).boundingBox();
  }

  @Test
  void aDelivery_isFollowedFromShopToDoor_withoutAJump() throws Exception {
    String id = assigned("1");
    Page page = phone("en-US", 360, ColorScheme.LIGHT);
    page.navigate(server.uri(link(id)).toString());
    await(page, "state", "is being prepared");
    assertThat(page.locator("#steps .done").allTextContents())
        .satisfiesExactly(
            one -> assertThat(one).matches("Ordered\\d.*M"),
            two -> assertThat(two).matches("Accepted\\d.*M"));
    assertThat(page.locator("#map").isVisible()).isFalse();

    step(id, "pickup", "");
    page.evaluate(ASK_NOW);
    await(page, "state", "is on its way");
    await(page, "help", "phone has not been heard");
    assertThat(page.locator(".place").allTextContents()).containsExactly("Shop", "Door");
    assertThat(page.locator(".rider").count()).isZero();

    position(37.53, 127.03);
    page.evaluate(ASK_NOW);
    page.locator(".rider").waitFor();
    assertThat(page.locator("#arrival").textContent()).matches("\\d+:\\d\\d.+\\d+:\\d\\d.[AP]M");
    assertThat(page.locator("#arrival").textContent()).doesNotContain("/");
    await(page, "detail", "Expected around");
    assertThat(page.locator("#help").isVisible()).isFalse();
    position(37.54, 127.035);
    page.evaluate(ASK_NOW);
    page.waitForFunction("() => document.querySelector('.way .came').getAttribute('d')");
    assertThat(page.locator(".way .ahead").getAttribute("d")).matches("M[-\\d.]+ .+L[-\\d.]+ .+");
    awaitStill(page);
    for (String shown : List.of(".place.shop", ".place.door", ".rider")) {
      BoundingBox at = box(page, shown);
      assertThat(at.x).as(shown).isGreaterThanOrEqualTo(0);
      assertThat(at.x + at.width).as(shown).isLessThanOrEqualTo(360);
      assertThat(at.y).as(shown + " is below the card").isGreaterThan(box(page, "#card").height);
      assertThat(at.y + at.height).as(shown).isLessThanOrEqualTo(740);
    }
    assertThat(page.evaluate(TOO_WIDE)).isEqualTo("");

    step(id, "complete", "");
    page.evaluate(ASK_NOW);
    await(page, "state", "has been delivered");
    assertThat(page.locator("#steps .done").count()).isEqualTo(4);
    assertThat(page.locator("#arrival").textContent()).matches("\\d+:\\d\\d.[AP]M");
    assertThat(page.locator("#map").isVisible()).isFalse();
    assertThat(((Number) page.evaluate("window.jumps")).doubleValue()).isLessThan(0.02);
  }

  @Test
  void shopAndDoor_areWhole_afterTheScreenWasTurned_too() throws Exception {
    String id = assigned("1");
    step(id, "pickup", "");
    position(37.53, 127.03);
    String url = server.uri(link(id)).toString();
    for (String locale : List.of("en-US", "ko-KR")) {
      Page page = phone(locale, 740, ColorScheme.LIGHT);
      page.navigate(url);
      page.locator(".rider").waitFor();
      page.setViewportSize(420, 800);
      page.waitForFunction(
          "() => [...document.querySelectorAll('.place')].every((e) => {"
              + " const at = e.getBoundingClientRect();"
              + " return at.left >= 8 && at.right <= innerWidth - 8; })");
    }
  }

  /** Until the map has come to rest. */
  private static void awaitStill(Page page) {
    page.waitForFunction(
        "() => { const now = document.querySelector('.way .ahead').getAttribute('d');"
            + " const was = window.was; window.was = now; return now === was; }",
        null,
        new Page.WaitForFunctionOptions().setPollingInterval(300));
  }

  @Test
  void late_whatToDoIsSaid_inTheReadersLanguage() throws Exception {
    String due = ",\"dueBy\":\"2026-03-01T09:00:00Z\"";
    String url = link(created(order("1", "shop-1", due)));
    Page korean = phone("ko-KR", 360, ColorScheme.DARK);
    korean.navigate(server.uri(url).toString());
    await(korean, "state", "접수를 기다리고 있습니다");
    await(korean, "help", "가게에서 주문 위치를 확인");
    assertThat(korean.evaluate("document.documentElement.lang")).isEqualTo("ko");
    assertThat(korean.evaluate(TOO_WIDE)).isEqualTo("");
    assertThat(korean.evaluate("getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(17, 22, 27)");
    Page english = phone("en-GB", 360, ColorScheme.LIGHT);
    english.navigate(server.uri(url).toString());
    await(english, "help", "Call the shop");
    assertThat(english.evaluate("document.documentElement.lang")).isEqualTo("en");
  }

  @Test
  void theTime_isOneLine_onEveryPhone() throws Exception {
    String id = assigned("1");
    step(id, "pickup", "");
    position(37.55, 127.05);
    String url = server.uri(link(id)).toString();
    for (String locale : List.of("en-US", "ko-KR")) {
      Page page = phone(locale, 320, ColorScheme.LIGHT);
      page.navigate(url);
      page.locator("#arrival").waitFor();
      // The longest there is: over noon.
      page.evaluate(
          "locale => document.querySelector('#arrival').textContent ="
              + " new Intl.DateTimeFormat(locale, {hour: 'numeric', minute: '2-digit'})"
              + ".formatRange(new Date(2026, 0, 1, 11, 48), new Date(2026, 0, 1, 12, 28))",
          locale);
      for (int width : List.of(320, 360, 375, 400)) {
        page.setViewportSize(width, 740);
        assertThat(page.evaluate(TOO_WIDE)).as(locale + " " + width).isEqualTo("");
        assertThat(page.evaluate(LINES)).as(locale + " " + width).isEqualTo(1);
      }
    }
  }

  @Test
  void aLinkThatEndsWhileItIsOpen_saysSo() throws Exception {
    String id = assigned("1");
    step(id, "pickup", "");
    position(37.55, 127.05);
    Page page = phone("en-US", 360, ColorScheme.LIGHT);
    String url = server.uri(link(id)).toString();
    page.navigate(url);
    page.locator(".rider").waitFor();
    // As after its expiry: this server does not answer for it any more.
    page.evaluate("() => history.replaceState(null, '', location.pathname + 'x')");
    page.evaluate(ASK_NOW);
    await(page, "state", "no longer valid");
    await(page, "help", "ask the shop for a new link");
    assertThat(page.locator("#map").isVisible()).isFalse();
    assertThat(page.locator("#steps").isVisible()).isFalse();
    assertThat(page.locator("#arrival").isVisible()).isFalse();
  }

  @Test
  void aCutLink_isAPage_inTheReadersLanguage() {
    for (String locale : List.of("en-US", "ko-KR")) {
      Page page = phone(locale, 320, ColorScheme.LIGHT);
      for (String cut : List.of("/track/01kjs2v5h8q0", "/track/", "/track")) {
        assertThat(page.navigate(server.uri(cut).toString()).status()).as(cut).isEqualTo(404);
        assertThat(page.locator("h1").textContent())
            .as(cut)
            .isEqualTo(locale.equals("ko-KR") ? "열 수 없는 링크입니다" : "This link does not work");
        assertThat(page.evaluate("getComputedStyle(document.querySelector('.card')).position"))
            .as("its style is loaded")
            .isEqualTo("relative");
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
            .isEqualTo(true);
      }
    }
  }

  @Test
  void docs_areFilteredByWords() {
    Page page = chromium.page();
    page.navigate(server.uri("/docs").toString());
    int all = Integer.parseInt(page.locator("#found").textContent());
    assertThat(all).isEqualTo(page.locator("nav li").count()).isGreaterThan(70);
    page.locator("#filter").fill("post RUN-sheets");
    page.waitForFunction("() => document.querySelector('#found').textContent === '1'");
    assertThat(page.locator("nav li:visible").allTextContents())
        .singleElement()
        .asString()
        .startsWith("POST /v1/run-sheets");
    assertThat(page.locator("nav li:visible a").textContent()).isEqualTo("/v1/run-sheets");
    assertThat(box(page, "nav li:visible .method").x)
        .as("in the text's column")
        .isEqualTo(box(page, "h1").x);
    assertThat(page.locator("section:visible h3 .method").count()).isEqualTo(1);
    assertThat(page.locator("nav .group:visible").count()).isEqualTo(1);
    page.locator("#filter").fill("no such thing");
    assertThat(page.locator("#found").textContent()).isEqualTo("0");
    page.locator("#filter").fill("");
    assertThat(page.locator("#found").textContent()).isEqualTo(Integer.toString(all));
    page.locator("nav li a").last().focus();
    page.keyboard().press("Enter");
    page.waitForFunction("() => location.hash.length > 1 && scrollY > 1000");
  }
}
