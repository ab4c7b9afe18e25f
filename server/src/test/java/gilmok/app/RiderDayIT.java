package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A rider's day on the map, in a real browser, on a whole server. */
@Tag("browser")
final class RiderDayIT extends RiderDayRig {
  private static final DateTimeFormatter HOUR_MINUTE =
      DateTimeFormatter.ofPattern("HH:mm").withZone(SEOUL);
  private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

  @Test
  void day_isOpenedFromTheCard_andItsTimeIsChosenByKeys() throws Exception {
    ride("r-7", yesterday, "09:00", 61, 10); // straight east, to 09:10
    ride("r-7", yesterday, "11:00", 61, 10);
    send("r-7", 37.57, 126.99, 0, ",\"speed\":5");
    send("r-8", 37.57, 126.98, 0, ",\"speed\":5");
    MapPage map = choose(chromium.page(), server.adminKey(), "r-7");
    map.page.keyboard().press("d");
    map.await("window.gilmok.days()[0]?.positions === 1");
    map.find(".day-turn").first().click();
    loaded(map, 0, 122);
    assertThat(map.find(".day-date").inputValue()).isEqualTo(yesterday.toString());
    assertThat(map.find(".day-axis").textContent()).contains("09:00", "12:00");
    assertThat(map.find("#day-clock").textContent()).isEqualTo("11:10:00"); // all of it, at first
    assertThat(hash(map)).contains("day=" + yesterday + ".r-7").doesNotContain("at=");

    map.find(".day-strip input").focus();
    map.page.keyboard().press("Home");
    assertThat(map.find("#day-clock").textContent()).isEqualTo("09:00:00");
    map.page.keyboard().press("ArrowRight");
    map.page.keyboard().press("Shift+ArrowRight");
    map.page.keyboard().press("Shift+ArrowRight");
    map.page.keyboard().press("Shift+ArrowRight");
    JsonNode place = day(map, 0).path("place");
    assertThat(place.path("lon").asDouble()).isCloseTo(127 + 1.3 * 1e-3, within(1e-7));
    assertThat(map.find(".day-strip input").getAttribute("aria-valuetext"))
        .isEqualTo("09:00:13, 36 km/h");
    map.page.keyboard().press("PageUp");
    assertThat(map.find(".day-strip input").getAttribute("aria-valuetext"))
        .isEqualTo("09:10:13, no position since 09:10");
    map.page.keyboard().press("PageUp");
    assertThat(day(map, 0).path("place").path("lon").asDouble()).isCloseTo(127.06, within(1e-7));
    assertThat(map.find(".day-rider").getAttribute("class")).contains("silent");
    assertThat(hash(map)).contains("at=09:20:13");

    map.page.keyboard().press("Escape");
    assertThat(map.find("#day").isVisible()).isFalse();
    assertThat(hash(map)).doesNotContain("day=", "at=");
    assertThat(map.page.evaluate("() => document.activeElement.id")).isEqualTo("card-day");
    map.page.keyboard().press("Escape");
    map.await("window.gilmok.chosen() === null");
  }

  /** The way is drawn where it was ridden, and not over the gap; a place on it chooses its time. */
  @Test
  void line_isWhereTheRiderWas() throws Exception {
    ride("r-7", yesterday, "09:00", 61, 10);
    post(
        List.of(
            position("r-7", at(yesterday, "13:00"), 37.52, 127.06),
            position("r-7", at(yesterday, "13:00").plusSeconds(10), 37.52, 127.061)));
    MapPage map = open(server.adminKey(), "day=" + yesterday + ".r-7&at=09:05:00");
    loaded(map, 0, 63);
    map.await("!window.gilmok.camera().isMoving && window.gilmok.lines() === 61");
    look(map, 37.4952, 127.03, 13.5); // so that the panel covers nothing of it
    int[] ridden = pixel(map, 37.5, 127.015);
    int[] ahead = pixel(map, 37.5, 127.045);
    int[] gap = pixel(map, 37.51, 127.06);
    int fast = 0x3c59c4; // of 10 m/s
    map.awaitPixels(ridden[0], ridden[1], 6, fast, 20, 90);
    assertThat(MapPage.pixels(map.picture(), ahead[0], ahead[1], 6, fast)).isZero();
    assertThat(MapPage.pixels(map.picture(), gap[0], gap[1], 3, 0xf3f4f1)).isGreaterThan(30);

    map.page.mouse().click(ahead[0], ahead[1] + 4);
    assertThat(map.find("#day-clock").textContent()).isEqualTo("09:07:30");
    map.awaitPixels(ahead[0] - 20, ahead[1], 6, fast, 20, 90);
  }

  @Test
  void link_showsTwoDays_withSlidersThatGoTogether_orNot() throws Exception {
    LocalDate before = yesterday.minusDays(1);
    ride("r-7", yesterday, "09:00", 61, 10);
    ride("r 9/é&", before, "09:05", 61, 10);
    MapPage map = open(server.adminKey(), "day=" + yesterday + ".r-7");
    loaded(map, 0, 61);
    map.find("#day-beside").click();
    map.await("window.gilmok.days().length === 2");
    assertThat(map.page.evaluate("() => document.activeElement.className")).isEqualTo("day-name");
    map.find(".day-name").last().fill("r 9/é&");
    map.find(".day-name").last().press("Enter");
    loaded(map, 1, 61);
    map.find(".day-strip input").first().focus();
    map.page.keyboard().press("Home");
    map.page.keyboard().press("PageUp");
    assertThat(day(map, 0).path("place").path("lon").asDouble()).isCloseTo(127.06, within(1e-7));
    assertThat(day(map, 1).path("place").path("lon").asDouble()).isCloseTo(127.03, within(1e-7));

    map.find("#day-couple").click();
    map.find(".day-strip input").last().focus();
    map.page.keyboard().press("End");
    assertThat(map.find("#day-clock").textContent()).isEqualTo("09:10:00 · 09:15:00");
    look(map, 37.5, 127.03, 12); // the map writes the address, too
    String said = hash(map);
    Page again = chromium.page();
    MapPage other = open(again, server.adminKey(), said.substring(1));
    loaded(other, 1, 61);
    assertThat(other.find("#day-clock").textContent()).isEqualTo("09:10:00 · 09:15:00");
    assertThat(other.find(".day-name").last().inputValue()).isEqualTo("r 9/é&");
    assertThat(hash(other)).isEqualTo(said);
    other.find("#day-beside").click();
    assertThat(other.find(".day-lane").count()).isEqualTo(1);
    assertThat(hash(other)).doesNotContain("beside=");
  }

  @Test
  void playing_passesOverWhatNobodyKnows_andEnds() throws Exception {
    ride("r-7", yesterday, "09:00", 31, 10);
    ride("r-7", yesterday, "20:00", 31, 10);
    MapPage map = open(server.adminKey(), "day=" + yesterday + ".r-7&at=09:00:00");
    loaded(map, 0, 62);
    map.find("#day select").selectOption("1200");
    // It plays for half a second, in which a busy machine may not come to look.
    map.page.evaluate(
        """
        () => {
          const play = document.querySelector('#day-play');
          window.labels = [];
          const labels = () => window.labels.push(play.getAttribute('aria-label'));
          new MutationObserver(labels).observe(play, { attributeFilter: ['aria-label'] });
        }
        """);
    map.find("#day-play").click();
    map.await("document.querySelector('#day-clock').textContent === '20:05:00'");
    assertThat(map.page.evaluate("() => window.labels.join()")).isEqualTo("Pause,Play");
    map.await("location.hash.includes('at=20:05:00')");
  }

  @Test
  void deliveries_ofTheDay_areListedAndDrawn() throws Exception {
    Instant now = Instant.now();
    LocalDate today = LocalDate.ofInstant(now, SEOUL);
    post(
        List.of(
            position("r-7", now.minusSeconds(1), 37.57, 126.99),
            position("r-7", now, 37.5701, 126.99)));
    delivered("1001", "r-7");
    delivered("1002", "r-8");
    String key = server.key("{\"name\":\"desk\",\"scopes\":[\"read\"]}");
    MapPage map = open(key, "day=" + today + ".r-7");
    map.find(".day-list .delivery").waitFor();
    assertThat(map.find(".day-list li").count()).isEqualTo(1);
    assertThat(map.find(".day-list .delivery").textContent()).contains("1001", "shop-1", "Door 9");
    assertThat(map.find(".day-marks .stop span").allTextContents())
        .anyMatch(text -> text.endsWith("shop-1"))
        .anyMatch(text -> text.endsWith("1001"));
    map.find(".day-list .delivery").click();
    map.await("location.hash.includes('at=')");
  }

  /** More than a page of them; here a page is one, so that few have to be made. */
  @Test
  void deliveries_ofSeveralPages_areAllListed() throws Exception {
    Instant now = Instant.now();
    post(
        List.of(
            position("r-7", now.minusSeconds(1), 37.57, 126.99),
            position("r-7", now, 37.5701, 126.99)));
    delivered("1001", "r-7");
    delivered("1002", "r-7");
    delivered("1003", "r-7");
    Page page = chromium.page();
    AtomicInteger asked = new AtomicInteger();
    page.route(
        "**/v1/deliveries?*",
        route -> {
          asked.incrementAndGet();
          String url = route.request().url().replace("limit=100", "limit=1");
          route.resume(new Route.ResumeOptions().setUrl(url));
        });
    MapPage map = open(page, server.adminKey(), "day=" + LocalDate.ofInstant(now, SEOUL) + ".r-7");
    loaded(map, 0, 2);
    assertThat(map.find(".day-list .delivery").count()).isEqualTo(3);
    assertThat(map.find(".day-sums dd").last().textContent()).isEqualTo("3");
    assertThat(asked.get()).isGreaterThanOrEqualTo(3);
  }

  /** Ten minutes east, twenty at a door, ten minutes on: as the server reckons it, in words. */
  @Test
  void staysAndTrips_areThoseOfTheServer_listedDrawnAndChosen() throws Exception {
    ride("r-7", yesterday, "09:00", 61, 10);
    double door = 127.06;
    post(
        IntStream.rangeClosed(1, 120)
            .mapToObj(i -> position("r-7", at(yesterday, "09:10").plusSeconds(10L * i), 37.5, door))
            .toList());
    post(
        IntStream.rangeClosed(1, 60)
            .mapToObj(
                i ->
                    position(
                        "r-7", at(yesterday, "09:30").plusSeconds(10L * i), 37.5 + i * 8e-4, door))
            .toList());
    String asked = "?date=" + yesterday;
    JsonNode stays = server.get("/v1/riders/r-7/stays" + asked).json().path("items");
    JsonNode trips = server.get("/v1/riders/r-7/trips" + asked).json().path("items");
    assertThat(stays).hasSize(1);
    assertThat(trips).hasSize(2);
    double metres =
        trips.get(0).path("distance").asDouble() + trips.get(1).path("distance").asDouble();
    assertThat(metres).isCloseTo(5_300 + 5_340, within(150.0));

    MapPage map = open(server.adminKey(), "day=" + yesterday + ".r-7");
    loaded(map, 0, 61 + 120 + 60);
    Instant from = Instant.parse(stays.get(0).path("from").asString());
    Instant to = Instant.parse(stays.get(0).path("to").asString());
    assertThat(Duration.between(at(yesterday, "09:10"), from).abs()).isLessThan(ONE_MINUTE);
    assertThat(Duration.between(at(yesterday, "09:30"), to).abs()).isLessThan(ONE_MINUTE);
    String times = HOUR_MINUTE.format(from) + "–" + HOUR_MINUTE.format(to);
    long minutes = Duration.between(from, to).toMinutes();
    assertThat(map.find(".day-sums dd").allTextContents())
        .containsExactly(
            "%d km".formatted(Math.round(metres / 1000)),
            rounded(trips, "moving"),
            rounded(trips, "idle"),
            "1 · %d min".formatted(Math.round(Duration.between(from, to).toSeconds() / 60.0)),
            "0");
    assertThat(map.find(".day-list .stay").allTextContents())
        .containsExactly(times + "Stay · " + minutes + " min");
    assertThat(map.find(".day-marks .day-stay, #day-marks .day-stay").count()).isEqualTo(1);
    assertThat(map.find(".day-stay span").textContent())
        .isEqualTo(times + " · " + minutes + " min");
    assertThat(map.find(".day-stayed").count()).isEqualTo(1);

    map.find(".day-list .stay").click();
    String begin = DateTimeFormatter.ISO_LOCAL_TIME.withZone(SEOUL).format(from);
    assertThat(map.find("#day-clock").textContent())
        .isEqualTo(begin.length() == 5 ? begin + ":00" : begin);
    assertThat(day(map, 0).path("place").path("lon").asDouble()).isCloseTo(door, within(1e-3));
  }

  /** The sum of what trips took, as the page says it. */
  private static String rounded(JsonNode trips, String what) {
    double seconds = 0;
    for (JsonNode trip : trips) {
      seconds += trip.path(what).asDouble();
    }
    return Math.round(seconds / 60) + " min";
  }

  @Test
  void whatTheServerRefuses_isSaidInWords() throws Exception {
    ride("r-7", yesterday, "09:00", 11, 10);
    String bound = server.key("{\"name\":\"b\",\"scopes\":[\"read\"],\"rider\":\"r-8\"}");
    MapPage map = open(bound, "day=" + yesterday + ".r-7");
    said(map, "This key may not see that rider's past.");
    assertThat(map.find(".day-name").getAttribute("readonly")).isNotNull();

    MapPage empty = open(server.adminKey(), "day=" + yesterday + ".nobody");
    said(empty, "No positions on this day.");
    assertThat(empty.find(".day-sums").isVisible()).isFalse();

    Page busy = chromium.page();
    AtomicInteger asked = new AtomicInteger();
    busy.route(
        "**/trace?*",
        route -> {
          if (asked.getAndIncrement() == 0) {
            route.fulfill(refusal(503).setHeaders(Map.of("Retry-After", "1")));
          } else {
            route.resume();
          }
        });
    MapPage patient = open(busy, server.adminKey(), "day=" + yesterday + ".r-7");
    said(patient, "The server is busy (503). Trying again.");
    loaded(patient, 0, 11);

    Page gone = chromium.page(Chromium.options().setLocale("ko-KR"));
    gone.route("**/trace?*", route -> route.fulfill(refusal(410)));
    said(open(gone, server.adminKey(), "day=" + yesterday + ".r-7"), "서버 로그에 이날의 기록이 더 이상 없고");
  }

  @Test
  void panel_fitsAPhone() throws Exception {
    ride("r-7", yesterday, "09:00", 61, 10);
    ride("r-8", yesterday, "09:05", 61, 10);
    Browser.NewContextOptions phone =
        Chromium.options().setViewportSize(380, 760).setLocale("ko-KR").setHasTouch(true);
    Page page = chromium.page(phone);
    String two = "day=" + yesterday + ".r-7&beside=" + yesterday + ".r-8";
    MapPage map = open(page, server.adminKey(), two);
    loaded(map, 1, 61);
    assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(380);
    assertThat(
            page.evaluate(
                "() => { const d = document.querySelector('#day');"
                    + " return d.scrollWidth <= d.clientWidth; }"))
        .isEqualTo(true);
    assertThat(map.find("#day").boundingBox().height).isLessThan(0.63 * 760);
    assertThat(map.find(".day-turn").first().boundingBox().height).isGreaterThanOrEqualTo(34);
    assertThat(map.find("#day-couple").textContent()).isEqualTo("같은 시각");
  }

  /** One position each second, all day: what is asked, drawn and sought stays small. */
  @Test
  void aDayOfAPositionEachSecond_staysSmooth() throws Exception {
    ride("r-7", yesterday, "00:00", 86_400, 1);
    try (Chromium paced = Chromium.startPaced()) {
      MapPage map = open(paced.page(), server.adminKey(), "day=" + yesterday + ".r-7");
      loaded(map, 0, 86_400);
      assertThat(((Number) map.page.evaluate("() => window.gilmok.lines()")).intValue())
          .isBetween(1_000, 86_399);
      Object millis =
          map.page.evaluate(
              """
              () => {
                const slider = document.querySelector('.day-strip input');
                const began = performance.now();
                for (let i = 0; i < 200; i++) {
                  slider.value = i * 400;
                  slider.dispatchEvent(new Event('input', { bubbles: true }));
                }
                return (performance.now() - began) / 200;
              }
              """);
      assertThat(((Number) millis).doubleValue()).as("ms for one move").isLessThan(8);
      assertThat(paced.faults).isEmpty();
    }
  }
}
