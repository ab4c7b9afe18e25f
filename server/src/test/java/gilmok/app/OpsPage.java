package gilmok.app;

import com.microsoft.playwright.Page;
import java.util.List;

/** The page {@code /ops} as a user sees and operates it, and its object {@code window.gilmok}. */
final class OpsPage {
  final Page page;
  private final RunningServer server;

  OpsPage(Page page, RunningServer server) {
    this.page = page;
    this.server = server;
  }

  /** Opens it without a key. */
  OpsPage open() {
    page.navigate(server.uri("/ops").toString());
    return this;
  }

  /** Enters the admin key, and waits until the server answers. */
  OpsPage enter() {
    give(server.adminKey());
    await("gilmok.state() === 'live'");
    return this;
  }

  void give(String key) {
    page.locator("#key-dialog[open]").waitFor();
    page.locator("#key").fill(key);
    page.locator("#key-form button").click();
  }

  void awaitSamples(int count) {
    await("gilmok.samples() >= " + count);
  }

  void awaitText(String selector, String part) {
    await("document.querySelector('" + selector + "')?.textContent.includes('" + part + "')");
  }

  /** Waits until a JavaScript condition holds. */
  void await(String condition) {
    page.waitForFunction(
        "() => " + condition, null, new Page.WaitForFunctionOptions().setPollingInterval(50));
  }

  String text(String selector) {
    return page.locator(selector).first().textContent();
  }

  List<String> texts(String selector) {
    return page.locator(selector).allTextContents();
  }
}
