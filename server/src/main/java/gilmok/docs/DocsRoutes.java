package gilmok.docs;

import gilmok.config.ProgramFile;
import gilmok.http.Exchange;
import gilmok.http.FixedBody;
import gilmok.http.Priority;
import gilmok.http.Route;
import java.util.List;

/**
 * {@code GET /openapi.yaml}, {@code GET /openapi.json}, {@code GET /docs}, {@code GET
 * /docs/errors}, {@code GET /schemas/NAME}: the API's contract as a document and as pages, and that
 * of what is shipped. They need no key. They are files of this program, so each is read only once
 * in a process: at its first request, which the warm-up sends.
 */
public final class DocsRoutes {
  static final String YAML = "/openapi.yaml";

  /** The same as JSON, made in the build by {@link MakeApiFiles}. */
  static final String JSON = "/openapi.json";

  /** The API's page, made there, too. */
  static final String API_PAGE = "/openapi.html";

  /** What sinks ship: lines as JSON Schema, and the columns of Parquet files. */
  static final String LINES = "/schemas/shipped-1.json";

  static final String COLUMNS = "/schemas/parquet-1.json";

  private final String policy = DocsPage.policy();
  private final String filterPolicy = DocsPage.filterPolicy();

  /** Holds the pages in static fields, so that the JDK loads them once, at their first use. */
  private static final class Once {
    private static final FixedBody YAML_BODY = new FixedBody("application/yaml", bytes(YAML));
    private static final FixedBody JSON_BODY = new FixedBody("application/json", bytes(JSON));
    private static final FixedBody LINES_BODY =
        new FixedBody("application/schema+json", bytes(LINES));
    private static final FixedBody COLUMNS_BODY = new FixedBody("application/json", bytes(COLUMNS));
    private static final FixedBody API = new FixedBody(DocsPage.TYPE, bytes(API_PAGE));
    private static final FixedBody ERRORS = new FixedBody(DocsPage.TYPE, ErrorsPage.bytes());
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        open(YAML, exchange -> Once.YAML_BODY.replyIfChanged(exchange)),
        open(JSON, exchange -> Once.JSON_BODY.replyIfChanged(exchange)),
        open(LINES, exchange -> Once.LINES_BODY.replyIfChanged(exchange)),
        open(COLUMNS, exchange -> Once.COLUMNS_BODY.replyIfChanged(exchange)),
        open("/docs", exchange -> page(exchange, Once.API, filterPolicy)),
        open("/docs/errors", exchange -> page(exchange, Once.ERRORS, policy)));
  }

  private static Route open(String path, Route.Handler handler) {
    return Route.open("GET", path, Priority.REPORTS, 0, handler);
  }

  private static void page(Exchange exchange, FixedBody page, String policy) {
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
