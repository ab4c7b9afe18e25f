package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page {@code /ops} in a real browser, on a whole server. Nothing here needs the internet. */
@Tag("browser")
final class OpsPageIT extends PageRig {
  @Test
  void panels_showWhatALoadedServerDoes() throws Exception {
    load();
    OpsPage ops = open().enter();
    ops.awaitSamples(2);
    load();
    ops.awaitSamples(3);
    for (String line :
        List.of("http.p99", "http.requests", "log.fsync.p99", "loop.lag", "collect.accepted")) {
      ops.await("gilmok.lines().some((line) => line.startsWith('" + line + "'))");
    }
    ops.await("document.querySelectorAll('.ops-panel').length > 18");
    assertThat(ops.texts(".ops-panel h2")).contains("Latency and GC", "Routes: one, or all?");
    assertThat(ops.texts(".routes tbody th")).anyMatch(route -> route.contains("/v1/traces"));
    assertThat(ops.texts(".loops tbody th")).anyMatch(loop -> loop.endsWith("positions"));
    assertThat(ops.texts(".callers tbody th"))
        .anyMatch(caller -> caller.endsWith(" · Java-http-client"));
    assertThat(ops.texts(".bounds tbody th")).isNotEmpty();
    assertThat(ops.texts(".slowest tbody th")).anyMatch(route -> route.equals("POST/v1/traces"));
    assertThat(ops.texts(".slowest .part")).allMatch(part -> part.matches("[a-z-]+ \\d.*%"));
    assertThat(ops.texts(".events tbody td")).contains("process started");
    assertThat(ops.text("[data-panel=sinks] .panel-rest")).contains("no sinks");
    assertThat(ops.text("[data-tile=opsTileRequests] b")).matches("[\\d.,]+/s");
    assertThat(ops.text("[data-tile=opsTileLatency] b")).matches("[\\d.,]+ m?s");
    // By themselves documents commit nothing.
    for (int i = 0; i < 4; i++) {
      String _ = server.key("{\"name\":\"commit-" + i + "\",\"scopes\":[\"read\"]}");
      ops.awaitSamples(4 + i);
    }
    for (String panel : List.of("latency", "requests", "log", "loops", "documents", "memory")) {
      ops.await(
          "document.querySelector('[data-panel=%s] .chart .series').matches('[d^=M]')"
              .formatted(panel));
    }
    assertThat(ops.page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(1280);
    assertThat(
            ops.page.evaluate(
                "() => [...document.querySelectorAll('button, a, summary, svg[role=img]')]"
                    + ".filter((b) => !(b.ariaLabel || b.textContent.trim())).length"))
        .as("without a name")
        .isEqualTo(0);
  }

  @Test
  void refusalsAndFaults_areNamed_withTheirCause() throws Exception {
    OpsPage ops = open().enter();
    ops.awaitSamples(1);
    for (int i = 0; i < 40; i++) {
      server.get("/v1/riders/nobody/position");
    }
    ops.awaitText("[data-panel=refusals] .legend-list", "not-found");
    assertThat(ops.text("[data-panel=failures] .legend-list")).contains("5xx", "503", "4xx");
    assertThat(ops.text("#look")).doesNotContain("fault of the server");
  }

  @Test
  void sinkThatIsAway_isSaidFirst_withItsReason() throws Exception {
    server.close();
    server =
        RunningServer.start(
            data, "sinks.enabled=files,redis", "redis.url=redis://127.0.0.1:" + closedPort());
    load();
    OpsPage ops = open().enter();
    ops.awaitText("#look", "Sink redis is retrying");
    assertThat(ops.text("#look")).contains("redis is missing", "records wait");
    ops.awaitText(".sinks", "▲ retrying");
    assertThat(ops.text(".sinks")).contains("files", "● running");
    assertThat(ops.text("[data-panel=sinks] .verdict")).contains("residue 0");
  }

  @Test
  void serverGone_isSaid_andTheSamePageGoesOnWithTheNext() throws Exception {
    load();
    OpsPage ops = open().enter();
    ops.awaitSamples(2);
    int port = server.server().port();
    server.close();
    ops.awaitText("#away", "does not answer");
    assertThat(ops.text("#status-text")).startsWith("No answer for");
    assertThat(ops.page.evaluate("() => document.body.classList.contains('old')")).isEqualTo(true);
    int before = ((Number) ops.page.evaluate("() => gilmok.samples()")).intValue();

    server = RunningServer.start(data, "http.port=" + port);
    ops.await("gilmok.state() === 'live' && gilmok.samples() > " + (before + 1));
    ops.page
        .locator("#away")
        .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
    assertThat(ops.text("#status-text")).isEqualTo("Live");
  }

  @Test
  void boundKey_isRefusedWithTheReason_andAnotherOneOpensIt() throws Exception {
    String bound = server.key("{\"name\":\"b\",\"scopes\":[\"read\"],\"rider\":\"r-1\"}");
    OpsPage ops = open();
    ops.give("gk_aaaaaaaaaaaa_wrong");
    ops.awaitText("#key-problem", "not valid");
    ops.give(bound);
    ops.awaitText("#key-text", "bound to one rider, shop or agency");
    assertThat(ops.page.evaluate("() => gilmok.samples()")).isEqualTo(0);
    ops.give(server.adminKey());
    ops.awaitSamples(1);
    assertThat(ops.page.locator("#key-dialog[open]").count()).isZero();
    ops.page.reload();
    ops.awaitSamples(1);
    assertThat(ops.page.evaluate("() => JSON.stringify(localStorage) + document.cookie").toString())
        .doesNotContain("gk_", "gilmok_session");
  }

  @Test
  void korean_dark_andOnAPhone_nothingScrollsSideways() throws Exception {
    load();
    Browser.NewContextOptions phone = Chromium.options().setViewportSize(375, 740);
    phone.setLocale("ko-KR").setColorScheme(ColorScheme.DARK);
    OpsPage ops = new OpsPage(chromium.page(phone), server).open().enter();
    ops.awaitSamples(2);
    assertThat(ops.page.getAttribute("html", "lang")).isEqualTo("ko");
    assertThat(ops.page.getAttribute("html", "data-theme")).isEqualTo("dark");
    assertThat(ops.page.title()).isEqualTo("길목 · 운영");
    assertThat(ops.texts(".ops-panel h2")).contains("응답 시간과 GC", "경로: 하나인가, 전부인가?");
    assertThat(ops.page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(375);
    assertThat(
            ops.page.evaluate(
                "() => [...document.querySelectorAll('#page *, .ops-bar *')].filter((e) => {"
                    + " const r = e.getBoundingClientRect(); return r.width > 1 && r.right > 376"
                    + " && !e.closest('svg'); }).length"))
        .isEqualTo(0);
    ops.page.locator("#language").click();
    assertThat(ops.texts(".ops-panel h2")).contains("Latency and GC");
    ops.page.locator("#theme").click();
    assertThat(ops.page.getAttribute("html", "data-theme")).isEqualTo("light");
    ops.page.reload();
    ops.awaitSamples(2);
    assertThat(ops.page.getAttribute("html", "lang")).isEqualTo("en");
  }

  @Test
  void cursor_movesByMouseAndByKeys_inAllChartsAtOnce() throws Exception {
    load();
    OpsPage ops = open().enter();
    ops.awaitSamples(3);
    Locator chart = ops.page.locator("[data-panel=requests] .chart");
    chart.focus();
    ops.page.keyboard().press("ArrowLeft");
    ops.await("document.querySelector('#cursor-time').textContent.length === 8");
    assertThat(ops.text("#readout")).matches("\\d\\d:\\d\\d:\\d\\d: requests .*");
    assertThat(ops.page.getAttribute("[data-panel=memory] .cursor", "d")).startsWith("M");
    ops.page.keyboard().press("Escape");
    assertThat(ops.page.locator("#cursor-time").isVisible()).isFalse();
    chart.hover();
    ops.await("document.querySelector('[data-panel=memory] .cursor').getAttribute('d') !== ''");
    ops.page.locator(".ranges button").first().click();
    assertThat(ops.page.getAttribute(".ranges button >> nth=0", "aria-pressed")).isEqualTo("true");
  }

  @Test
  void page_asksThisServerOnly_andOnlyForWhatIsNew() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    Page fresh = chromium.page();
    fresh.onRequest(request -> asked.add(request.url()));
    OpsPage ops = new OpsPage(fresh, server).open().enter();
    ops.awaitSamples(3);
    assertThat(asked).allMatch(url -> url.startsWith(server.uri("").toString()));
    // Playwright tells of requests only while one of its calls waits.
    fresh.waitForRequest(Pattern.compile(".*/v1/ops.*since=\\d{13}"), () -> {});
    List<String> numbers = asked.stream().filter(url -> url.contains("/v1/ops")).toList();
    assertThat(numbers).hasSizeLessThan(20);
  }

  private OpsPage open() {
    return new OpsPage(chromium.page(), server).open();
  }

  private void load() throws Exception {
    for (int i = 0; i < 60; i++) {
      send("r-" + i % 7, 37.5, 127, 0, ",\"id\":\"" + System.nanoTime() + "\"");
    }
  }

  /** A port at which nobody listens. */
  private static int closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
