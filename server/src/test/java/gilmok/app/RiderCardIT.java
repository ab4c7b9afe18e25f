package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import gilmok.app.RunningServer.Reply;
import gilmok.http.ReasonCheck;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rider's deliveries and phones in the card of the map, in a real browser, on a whole server. */
@Tag("browser")
final class RiderCardIT extends PageRig {
  @Test
  void deliveries_areListed_andDrawnWhereTheyAre() throws Exception {
    String first = assigned("1001", "r-7", 37.572, 126.992, 37.568, 126.998);
    assigned("1002", "r-8", 37.5, 127, 37.5, 127);
    send("r-7", 37.57, 126.99, 0, ",\"speed\":5");
    MapPage map = choose(chromium.page(), server.adminKey(), "r-7");
    map.find(".deliveries li").waitFor();
    assertThat(map.find(".deliveries li").textContent())
        .contains("1001", "to pick up", "late", "shop-1", "Teheran-ro 1", "Door 9")
        .doesNotContain("010-1234");
    assertThat(map.find(".deliveries li").count()).isEqualTo(1);

    map.look(37.57, 126.995, 15);
    MapPage.Rider rider = map.rider("r-7");
    double perDegree = 512 * Math.pow(2, 15) / 360;
    assertThat(box(map, ".stop.shop svg").x + 12)
        .isCloseTo(rider.left() + 0.002 * perDegree, within(3.0));
    assertThat(box(map, ".stop.door svg").x + 12)
        .isCloseTo(rider.left() + 0.008 * perDegree, within(3.0));
    assertThat(map.find("#stops-lines").getAttribute("d")).matches("M[\\d. ]+L[\\d. ]+");
    assertThat(map.find(".stop").allTextContents()).containsExactly("shop-1", "1001");

    step(first, "pickup");
    map.find(".stop.shop.done svg").waitFor();
    assertThat(map.find(".deliveries li").textContent()).contains("on the way");
    step(first, "complete");
    map.find(".deliveries .none").waitFor();
    assertThat(map.find(".stop").count()).isZero();
    map.page.keyboard().press("Escape");
    map.await("window.gilmok.chosen() === null");
  }

  @Test
  void deliveries_chosen_comeIntoSight() throws Exception {
    assigned("1001", "r-7", 37.66, 127.1, 37.44, 126.85);
    send("r-7", 37.57, 126.99, 0, ",\"speed\":5");
    Page page = chromium.page(Chromium.options().setColorScheme(ColorScheme.DARK));
    MapPage map = choose(page, server.key("{\"name\":\"l\",\"scopes\":[\"read\"]}"), "r-7");
    map.await("!window.gilmok.camera().isMoving");
    map.find(".deliveries button").click();
    map.await("!window.gilmok.camera().isMoving && window.gilmok.camera().zoom < 12");
    for (String stop : List.of(".stop.shop svg", ".stop.door svg")) {
      assertThat(box(map, stop).x).isBetween(350.0, 1230.0);
      assertThat(box(map, stop).y).isBetween(0.0, 780.0);
    }
  }

  @Test
  void phone_isAskedForItsPosition_andThePageTellsWhatBecameOfIt() throws Exception {
    tie("r-7-phone", "r-7", "gangnam");
    ownTracks();
    String key = server.key("{\"name\":\"desk\",\"scopes\":[\"read\",\"operate\"]}");
    MapPage map = choose(chromium.page(), key, "r-7");
    map.find(".commands .report").waitFor();
    assertThat(map.find(".commands").textContent())
        .contains("r-7-phone", "OwnTracks", "gangnam", "every 10 s", "every 5 min");
    assertThat(map.find("#card > .more").textContent())
        .contains("Poweron battery", "Networkmobile", "Sent becauseit was time")
        .doesNotContain("tid");
    assertThat(map.find(".rest").textContent()).isEqualTo("Othertid05");
    map.find("#language").click();
    assertThat(map.find("#card").textContent())
        .contains("전원배터리 사용", "기타tid05", "10초마다")
        .doesNotContain("10 s");
    map.find("#language").click();
    map.find(".commands .report").click();
    map.find(".told .waiting").waitFor();
    assertThat(ownTracks()).contains("\"action\":\"reportLocation\"");
    map.find(".told .sent").waitFor();
    assertThat(map.find(".told").textContent()).contains("Position", "sent", "ago");

    map.find(".commands select").selectOption("60 s");
    map.find(".commands .configure button").click();
    map.find(".told .waiting").waitFor();
    assertThat(ownTracks()).contains("\"locatorInterval\":60", "\"moveModeLocatorInterval\":60");
    map.await("document.querySelectorAll('.told .sent').length === 2");
    assertThat(map.find(".told li b").allTextContents()).containsExactly("Settings", "Position");
  }

  @Test
  void phone_whoseAppDoesNotUnderstand_isToldSo() throws Exception {
    send("r-7", 37.57, 126.99, 0, "");
    tie("box", "r-7", "gangnam"); // it was not heard yet, so nobody knows its app
    MapPage map =
        choose(chromium.page(Chromium.options().setLocale("ko-KR")), server.adminKey(), "r-7");
    map.find(".commands .report").click();
    map.find(".told .waiting").waitFor();
    assertThat(get("/?id=box&lat=37.57&lon=126.99")).isEmpty();
    map.find(".told .dropped").waitFor();
    assertThat(map.find(".told").textContent()).isEqualTo("위치 요청보내지 않음: 이 앱이 지원하지 않는 명령");
    map.await("document.querySelector('.commands .none')?.textContent.includes('명령을 받지')");
    assertThat(map.find(".commands button").count()).isZero();
  }

  @Test
  void commands_areOnlyOfferedToAKeyThatMay() throws Exception {
    tie("r-7-phone", "r-7", "gangnam");
    ownTracks();
    List<String> asked = new CopyOnWriteArrayList<>();
    Page page = chromium.page();
    page.onRequest(request -> asked.add(request.url()));
    MapPage map = choose(page, server.key("{\"name\":\"l\",\"scopes\":[\"read\"]}"), "r-7");
    map.find(".deliveries").waitFor();
    assertThat(map.find(".commands").isVisible()).isFalse();

    String bound =
        server.key("{\"name\":\"b\",\"scopes\":[\"read\",\"operate\"],\"rider\":\"r-7\"}");
    Page own = chromium.page();
    own.onRequest(request -> asked.add(request.url()));
    MapPage mine = choose(own, bound, "r-7");
    mine.find(".deliveries").waitFor();
    assertThat(mine.find(".commands").isVisible()).isFalse();
    assertThat(mine.find("#list").isVisible()).isFalse();
    assertThat(mine.find("#phones").isVisible()).isFalse();
    assertThat(asked).noneMatch(url -> url.contains("/v1/devices"));
  }

  private MapPage choose(Page page, String key, String rider) {
    MapPage map = new MapPage(page, server).open().give(key).awaitLive();
    map.rider(rider);
    map.find("#search").fill(rider);
    map.find("#search").press("Enter");
    map.await("window.gilmok.chosen() === '" + rider + "'");
    return map;
  }

  private static BoundingBox box(MapPage map, String selector) {
    return map.find(selector).boundingBox();
  }

  private String assigned(
      String order, String rider, double shopLat, double shopLon, double doorLat, double doorLon)
      throws Exception {
    String body =
        """
        {"orderId":"%s","shopId":"shop-1","dueBy":"%s",
         "pickup":{"lat":%s,"lon":%s,"address":"Teheran-ro 1"},
         "dropoff":{"lat":%s,"lon":%s,"address":"Door 9","phone":"010-1234"}}
        """
            .formatted(order, Instant.now().minusSeconds(600), shopLat, shopLon, doorLat, doorLon);
    Reply created = server.post("/v1/deliveries", body);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    String id = created.json().path("id").asString();
    step(id, "accept");
    String assigned = "{\"riderId\":\"" + rider + "\"}";
    assertThat(server.post("/v1/deliveries/" + id + "/assign", assigned).status()).isEqualTo(200);
    return id;
  }

  private void step(String id, String step) throws Exception {
    assertThat(server.post("/v1/deliveries/" + id + "/" + step, "{}").status()).isEqualTo(200);
  }

  /** A position as OwnTracks sends it; returns what the app is told. */
  private String ownTracks() throws Exception {
    String body =
        "{\"_type\":\"location\",\"lat\":37.57,\"lon\":126.99,\"tst\":"
            + Instant.now().getEpochSecond()
            + ",\"bs\":1,\"conn\":\"m\",\"t\":\"t\",\"tid\":\"05\"}";
    String basic = "r-7:" + server.adminKey();
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = server.uri("/pub?u=r-7&d=phone");
      String told =
          client
              .send(
                  HttpRequest.newBuilder(uri)
                      .POST(BodyPublishers.ofString(body))
                      .header("Content-Type", "application/json")
                      .header(
                          "Authorization",
                          "Basic "
                              + Base64.getEncoder()
                                  .encodeToString(basic.getBytes(StandardCharsets.UTF_8)))
                      .build(),
                  BodyHandlers.ofString())
              .body();
      ReasonCheck.answer(told);
      return told;
    }
  }

  private String get(String path) throws Exception {
    return server.get(path).body();
  }
}
