package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fleet list beside the map, in a real browser, on a whole server. */
@Tag("browser")
final class FleetListIT extends PageRig {
  private static final String LISTED =
      "[...document.querySelectorAll('.list-row:not([hidden])')]"
          + ".sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)"
          + ".map((row) => row.querySelector('b').textContent).join()";

  @Test
  void list_isSortedByEachColumn() throws Exception {
    fleet();
    MapPage map = enter(server.adminKey());
    awaitListed(map, "r-2,r-9,r-10,r-30");
    assertThat(sorted(map)).isEqualTo("Rider:ascending");

    map.find("#list-head button:text-is('Rider')").click();
    awaitListed(map, "r-30,r-10,r-9,r-2");
    map.find("#list-head button:text-is('Battery')").click();
    awaitListed(map, "r-30,r-9,r-2,r-10"); // r-10 does not tell its battery: the last both ways
    map.find("#list-head button:text-is('Battery')").click();
    awaitListed(map, "r-2,r-9,r-30,r-10");
    map.find("#list-head button:text-is('Last seen')").click();
    awaitListed(map, "r-2,r-30,r-10,r-9");
    assertThat(sorted(map)).isEqualTo("Last seen:descending");
    map.find("#list-head button:text-is('State')").click();
    awaitListed(map, "r-2,r-10,r-9,r-30"); // quiet, standing, moving, moving: by rider
    assertThat(map.find(".list-row:has-text('r-2') .state").first().getAttribute("aria-label"))
        .isEqualTo("Quiet for over a minute");
    assertThat(map.find(".list-row:has-text('r-30')").textContent()).contains("7%");
    assertThat(map.find(".list-row:has-text('r-30') .low").count()).isEqualTo(1);
    assertThat(map.find(".list-row:has-text('r-9') .parcel").isVisible()).isTrue();
  }

  @Test
  void list_followsThePositions() throws Exception {
    fleet();
    MapPage map = enter(server.adminKey());
    map.find("#list-head button:text-is('Battery')").click();
    awaitListed(map, "r-30,r-9,r-2,r-10");
    map.page.mouse().move(700, 600); // rows do not change places under the pointer
    send("r-2", 37.56, 127.0, -1, ",\"speed\":0,\"battery\":0.01");
    send("r-4", 37.56, 127.0, 0, ",\"speed\":0,\"battery\":0.03");
    awaitListed(map, "r-2,r-4,r-30,r-9,r-10");
    assertThat(map.find("#list-count").textContent()).isEqualTo("5 riders");
  }

  @Test
  void list_isFilteredByText_groupAndState() throws Exception {
    tie("phone-9", "r-9", "gangnam");
    tie("phone-10", "r-10", "mapo");
    fleet();
    send("r-30", 37.56, 127.01, -1, ",\"battery\":0.07,\"attributes\":{\"group\":\"mapo\"}");
    MapPage map = enter(server.adminKey());
    map.find("#list-text").fill("0");
    awaitListed(map, "r-10,r-30");
    assertThat(map.find("#list-count").textContent()).isEqualTo("2 of 4 riders");
    map.find("#list-text").press("Escape");
    awaitListed(map, "r-2,r-9,r-10,r-30");

    map.await("document.querySelector('#list-group').options.length === 3");
    map.find("#list-group").selectOption("mapo");
    awaitListed(map, "r-10,r-30");
    map.find("#list-group").selectOption("gangnam");
    awaitListed(map, "r-9");
    assertThat(map.find(".list-row small").first().textContent()).isEqualTo("gangnam");
    map.find("#list-group").selectOption("");
    map.find("#show-quiet").click();
    awaitListed(map, "r-9,r-10,r-30");
  }

  @Test
  void list_isOperatedByKeys() throws Exception {
    fleet();
    MapPage map = enter(server.adminKey());
    awaitListed(map, "r-2,r-9,r-10,r-30");
    map.page.keyboard().press("l");
    map.page.keyboard().press("ArrowDown");
    map.page.keyboard().press("ArrowDown");
    assertThat(active(map)).isEqualTo("r-10");
    map.page.keyboard().press("Enter");
    map.await("window.gilmok.chosen() === 'r-10' && window.gilmok.camera().zoom > 14");
    map.page.keyboard().press("End");
    assertThat(active(map)).isEqualTo("r-30");
    map.page.keyboard().press("Home");
    assertThat(active(map)).isEqualTo("r-2");
    map.page.keyboard().press("Escape");
    map.await("window.gilmok.chosen() === null");
    assertThat(map.find("#list").isVisible()).isTrue();
    map.page.keyboard().press("Escape");
    assertThat(map.find("#list").isVisible()).isFalse();
    assertThat(map.page.evaluate("() => document.activeElement.id")).isEqualTo("list-toggle");

    map.page.reload(); // and it stays as it was left
    map.awaitLive();
    map.rider("r-2");
    assertThat(map.find("#list").isVisible()).isFalse();
    map.find("#list-toggle").click();
    map.find(".list-row:has-text('r-9')").click();
    map.await("window.gilmok.chosen() === 'r-9'");
  }

  @Test
  void list_ofFiveThousand_hasTheRowsInSight_andAsksForNobody() throws Exception {
    for (int from = 0; from < 5000; from += 1000) {
      String at = Instant.now().toString();
      String lines =
          IntStream.range(from, from + 1000)
              .mapToObj(
                  i ->
                      "{\"riderId\":\"r-%d\",\"at\":\"%s\",\"lat\":%s,\"lon\":127,\"speed\":%d}"
                          .formatted(i, at, 37.4 + i * 4e-5, i % 2 * 5))
              .collect(Collectors.joining(",", "[", "]"));
      assertThat(server.post("/v1/traces", lines).status()).isEqualTo(202);
    }
    server.awaitSeen();
    List<String> asked = new CopyOnWriteArrayList<>();
    Page page = chromium.page();
    page.onRequest(request -> asked.add(request.url()));
    MapPage map = new MapPage(page, server).enter();
    map.await("document.querySelector('#list-count').textContent === '5,000 riders'");
    map.page.keyboard().press("l");
    map.page.keyboard().press("End");
    map.await(
        "document.querySelector('.list-row.active:not([hidden])')"
            + "?.textContent.startsWith('r-4999')");
    assertThat(map.find("#list-grid").getAttribute("aria-rowcount")).isEqualTo("5001");
    assertThat(map.find(".list-row").count()).isLessThan(60);
    map.page.keyboard().press("Enter");
    map.await("window.gilmok.chosen() === 'r-4999'");
    assertThat(asked.stream().filter(url -> url.contains("/v1/riders")).toList()).isEmpty();
    assertThat(asked.stream().filter(url -> url.contains("/v1/")).toList()).hasSizeLessThan(20);
  }

  @Test
  void list_withAKeyThatOnlyReads_knowsTheGroupsThatPositionsName() throws Exception {
    tie("phone-9", "r-9", "gangnam");
    fleet();
    send("r-30", 37.56, 127.01, -1, ",\"attributes\":{\"group\":\"mapo\"}");
    List<String> asked = new CopyOnWriteArrayList<>();
    Page page = chromium.page();
    page.onRequest(request -> asked.add(request.url()));
    MapPage map = new MapPage(page, server).open();
    map.give(server.key("{\"name\":\"looking\",\"scopes\":[\"read\"]}")).awaitLive();
    map.await("document.querySelector('#list-group').textContent === 'All groupsmapo'");
    assertThat(asked).noneMatch(url -> url.contains("/v1/devices"));
  }

  @Test
  void list_ofOne_isNoHigherThanItsRow_andTellsOfADeliveryInAnAttribute() throws Exception {
    send("r-2", 37.57, 126.99, 0, ",\"attributes\":{\"deliveryId\":\"d-1\"}");
    MapPage map = new MapPage(chromium.page(), server).enter();
    awaitListed(map, "r-2");
    map.await("document.querySelector('#list-count').textContent === '1 rider'");
    assertThat(
            map.page.evaluate(
                "() => { const end = (id) => document.querySelector(id).getBoundingClientRect()"
                    + ".bottom; return end('#list') - end('#list-count') < 12; }"))
        .isEqualTo(true);
    assertThat(map.find(".list-row .parcel title").textContent()).startsWith("With a delivery");
    map.find("#list-text").fill("x");
    map.await("document.querySelector('#list-count').textContent === '0 of 1 rider'");
  }

  @Test
  void list_onANarrowScreen_isASheet() throws Exception {
    fleet();
    Page page = chromium.page(Chromium.options().setViewportSize(380, 700).setLocale("ko-KR"));
    MapPage map = new MapPage(page, server).enter();
    map.rider("r-30");
    assertThat(map.find("#list").isVisible()).isFalse();
    map.find("#list-toggle").click();
    awaitListed(map, "r-2,r-9,r-10,r-30");
    assertThat(map.find("#list-head").textContent()).isEqualTo("상태라이더배터리마지막 수신");
    assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(380);
    assertThat(
            page.evaluate(
                "() => { const r = document.querySelector('#list').getBoundingClientRect();"
                    + " return r.left >= 0 && r.right <= 380 && r.bottom <= 700 && r.top > 250; }"))
        .isEqualTo(true);
    assertThat(
            page.evaluate(
                "() => ['phones', 'theme', 'language', 'leave'].every((id) => {"
                    + " const r = document.getElementById(id).getBoundingClientRect();"
                    + " return document.elementFromPoint(r.x + r.width / 2, r.bottom - 2)"
                    + "?.closest('button')?.id === id; })"))
        .as("beside the list")
        .isEqualTo(true);
    map.find(".list-row:has-text('r-9')").click();
    map.find("#card").waitFor();
    assertThat(map.find("#list").isVisible()).isFalse();
    map.find("#card .close").click();
    awaitListed(map, "r-2,r-9,r-10,r-30");
  }

  /**
   * Four riders: quiet, moving with a delivery, standing without a battery, moving. The last three
   * are quiet after a minute, which a slow machine must not reach.
   */
  private void fleet() throws Exception {
    send("r-2", 37.57, 126.99, 300, ",\"speed\":5,\"battery\":0.9");
    send("r-9", 37.57, 127.00, 0, ",\"speed\":5,\"battery\":0.5,\"deliveryId\":\"d-1\"");
    send("r-10", 37.56, 126.99, 10, ",\"speed\":0");
    send("r-30", 37.56, 127.00, 20, ",\"speed\":5,\"battery\":0.07");
  }

  private MapPage enter(String key) {
    MapPage map = new MapPage(chromium.page(), server).open().give(key).awaitLive();
    map.rider("r-30");
    return map;
  }

  private static void awaitListed(MapPage map, String ids) {
    map.await(LISTED + " === '" + ids + "'");
  }

  private static String sorted(MapPage map) {
    return (String)
        map.page.evaluate(
            "() => { const by = document.querySelector('#list-head [aria-sort$=cending]');"
                + " return by.textContent + ':' + by.getAttribute('aria-sort'); }");
  }

  /** The rider that a screen reader is told of. */
  private static String active(MapPage map) {
    return (String)
        map.page.evaluate(
            "() => document.getElementById(document.activeElement"
                + ".getAttribute('aria-activedescendant')).querySelector('b').textContent");
  }
}
