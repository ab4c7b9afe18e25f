package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page on another port of the same host, in a browser whose user is signed in. To a cookie with
 * SameSite=Strict it is the same site, so the browser sends the session with what it asks for.
 */
@Tag("browser")
final class OtherPortPageIT {
  /** Each is a request that needs no preflight: what such a page can send without being asked. */
  private static final String ATTACK =
      """
      <form id="form" method="post" enctype="text/plain" action="{server}/v1/keys">
        <input name='{"name":"form","scopes":["admin"],"x":"' value='"}'></form>
      <script>
        const body = '{"name":"fetched","scopes":["admin"]}';
        const all = ['text/plain', 'application/x-www-form-urlencoded'].map(type =>
          fetch('{server}/v1/keys', {method: 'POST', mode: 'no-cors', credentials: 'include',
            headers: {'Content-Type': type}, body}));
        all.push(fetch('{server}/v1/keys', {method: 'POST', mode: 'no-cors', credentials: 'include',
          body: new Blob([body])}));
        all.push(fetch('{server}/v1/sinks/files/pause', {method: 'POST', mode: 'no-cors',
          credentials: 'include'}));
        all.push(fetch('{server}/v1/keys', {mode: 'no-cors', credentials: 'include'}));
        Promise.allSettled(all).then(() => { document.title = 'done'; });
      </script>
      """;

  @TempDir Path data;

  @Test
  void page_ofAnotherPort_changesNothing_thoughTheBrowserSendsTheSession() throws Exception {
    HttpServer evil =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (Chromium chromium = Chromium.start();
        RunningServer server = RunningServer.start(data, "sinks.enabled=files")) {
      byte[] html =
          ATTACK.replace("{server}", server.uri("").toString()).getBytes(StandardCharsets.UTF_8);
      evil.createContext(
          "/",
          exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, html.length);
            exchange.getResponseBody().write(html);
            exchange.close();
          });
      evil.start();
      MapPage map = new MapPage(chromium.page(), server).enter();
      Page attack = map.page.context().newPage();
      attack.navigate("http://127.0.0.1:" + evil.getAddress().getPort() + "/");
      attack.waitForFunction("() => document.title === 'done'");
      double foreign = server.metric("gilmok_http_refusals_total{refusal=\"foreign-page\"}");
      assertThat(foreign).as("the session came with each of them").isEqualTo(5);
      attack.evaluate("() => document.getElementById('form').submit()");
      Program.await(
          () ->
              server.metric("gilmok_http_refusals_total{refusal=\"foreign-page\"}") == foreign + 1);

      assertThat(server.get("/v1/keys").body()).doesNotContain("form", "fetched");
      assertThat(server.get("/v1/sinks/files").body()).doesNotContain("\"paused\":true");
      map.page.reload();
      map.awaitLive();
    } finally {
      evil.stop(0);
    }
  }
}
