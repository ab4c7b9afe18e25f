package gilmok.docs;

import gilmok.config.ProgramFile;
import gilmok.http.Exchange;
import gilmok.http.FixedBody;
import gilmok.http.Priority;
import gilmok.http.Route;
import java.util.List;

/**
 * {@code GET /openapi.yaml}, {@code GET /docs}, {@code GET /docs/errors}: the API's contract as a
 * document and as pages. They need no key. The pages are files of this program, so each is read
 * only once in a process: at its first request, which the warm-up sends.
 */
public final class DocsRoutes {
  static final String DOCUMENT = "/openapi.yaml";

  /** The API's page, made in the build by {@link MakeApiPage}. */
  private static final String API_PAGE = "/openapi.html";

  private final String policy = DocsPage.policy();

  /** Holds the pages in static fields, so that the JDK loads them once, at their first use. */
  private static final class Once {
    private static final FixedBody CONTRACT = new FixedBody("application/yaml", bytes(DOCUMENT));
    private static final FixedBody API = new FixedBody(DocsPage.TYPE, bytes(API_PAGE));
    private static final FixedBody ERRORS = new FixedBody(DocsPage.TYPE, ErrorsPage.bytes());
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        open(DOCUMENT, exchange -> Once.CONTRACT.reply(exchange)),
        open("/docs", exchange -> page(exchange, Once.API)),
        open("/docs/errors", exchange -> page(exchange, Once.ERRORS)));
  }

  private static Route open(String path, Route.Handler handler) {
    return Route.open("GET", path, Priority.REPORTS, 0, handler);
  }

  private void page(Exchange exchange, FixedBody page) {
    exchange.replyHeader("Content-Security-Policy", policy);
    exchange.replyHeader("X-Content-Type-Options", "nosniff");
    exchange.replyHeader("Referrer-Policy", "no-referrer");
    page.reply(exchange);
  }

  /** Reads a file of this program. */
  static byte[] bytes(String name) {
    return ProgramFile.bytes(DocsRoutes.class, name);
  }
}
