package gilmok.app;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;

/**
 * A headless Chromium that draws WebGL without a graphics card. The environment variable CHROMIUM
 * may name another executable than the machine's. Belongs to one thread, as all of Playwright does.
 */
final class Chromium implements AutoCloseable {
  /** How long a page is waited for. */
  static final int PATIENCE_MILLIS = 30_000;

  private static final List<String> OPTIONS =
      List.of(
          "--no-sandbox",
          "--use-angle=swiftshader",
          "--enable-unsafe-swiftshader",
          "--ignore-gpu-blocklist");

  private final Playwright playwright;
  private final Browser browser;
  private final List<BrowserContext> contexts = new ArrayList<>();

  /** The errors of all pages, and what the content security policy has blocked in them. */
  final List<String> faults = new CopyOnWriteArrayList<>();

  private Chromium(Path executable, List<String> options) {
    Map<String, String> environment = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
    browser =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(executable).setArgs(options));
  }

  /**
   * Starts the browser; only WebGL is drawn as by a graphics card: all of a page so takes twice the
   * processor. Where there is none, the test fails in CI and is skipped elsewhere.
   */
  static Chromium start() {
    List<String> options = new ArrayList<>(OPTIONS);
    options.add("--disable-gpu-compositing");
    return start(options);
  }

  /**
   * The same, which asks WebGL for a picture only when the one before is there, as with a graphics
   * card: for pictures that take long.
   */
  static Chromium startPaced() {
    return start(OPTIONS);
  }

  private static Chromium start(List<String> options) {
    Path executable = Path.of(System.getenv().getOrDefault("CHROMIUM", "/usr/bin/chromium"));
    boolean mustRun = System.getenv("CI") != null;
    Assumptions.assumeTrue(
        mustRun || Files.isExecutable(executable),
        "chromium is missing: apt-get install chromium, or set CHROMIUM to one");
    return new Chromium(executable, options);
  }

  /** A page of a browser without any history: 1280 by 800 pixels, English, light. */
  Page page() {
    return page(options());
  }

  static Browser.NewContextOptions options() {
    return new Browser.NewContextOptions().setViewportSize(1280, 800).setLocale("en-US");
  }

  Page page(Browser.NewContextOptions options) {
    BrowserContext context = browser.newContext(options);
    contexts.add(context);
    Page page = context.newPage();
    page.setDefaultTimeout(PATIENCE_MILLIS);
    page.onPageError(faults::add);
    page.onConsoleMessage(this::hear);
    return page;
  }

  private void hear(ConsoleMessage message) {
    String text = message.text();
    // A browser logs each request that fails as an error. Whether it is one is for the page to say.
    boolean isOfTheNetwork = text.startsWith("Failed to load resource");
    if (text.contains("Content Security Policy")
        || (message.type().equals("error") && !isOfTheNetwork)) {
      faults.add(text);
    }
  }

  /** Closes all pages, as their open requests would delay the stop of a server. */
  void closePages() {
    contexts.forEach(BrowserContext::close);
    contexts.clear();
    faults.clear();
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
