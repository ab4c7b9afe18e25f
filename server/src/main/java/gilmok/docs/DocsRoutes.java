package gilmok.docs;

import gilmok.http.Exchange;
import gilmok.http.FixedBody;
import gilmok.http.Owner;
import gilmok.http.Priority;
import gilmok.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * {@code GET /openapi.yaml}, {@code GET /docs}, {@code GET /docs/errors}: the API's contract, as it
 * is and as pages. All are made once, at the start; they need no key.
 */
public final class DocsRoutes {
  /** How often the document may point at a part of itself: more than it does. */
  private static final int ALIASES_MAX = 500;

  private static final String YAML = "application/yaml";
  private static final String DOCUMENT = "/openapi.yaml";

  private final String policy = Page.policy();
  private final FixedBody document;
  private final FixedBody api;
  private final FixedBody errors;

  /**
   * Makes the pages.
   *
   * @throws IOException when this program was built without its document
   */
  public DocsRoutes() throws IOException {
    byte[] yaml = document();
    document = new FixedBody(YAML, yaml);
    Object tree =
        new Load(
                LoadSettings.builder()
                    .setLabel(DOCUMENT)
                    .setMaxAliasesForCollections(ALIASES_MAX)
                    .build())
            .loadFromString(new String(yaml, StandardCharsets.UTF_8));
    if (!(tree instanceof Map<?, ?> root)) {
      throw new IOException(DOCUMENT + " in this program is no document");
    }
    api = new FixedBody(Page.TYPE, new ApiPage(new Place(root)).bytes());
    errors = new FixedBody(Page.TYPE, ErrorsPage.bytes());
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        open("/openapi.yaml", document::reply),
        open("/docs", exchange -> page(exchange, api)),
        open("/docs/errors", exchange -> page(exchange, errors)));
  }

  private static Route open(String path, Route.Handler handler) {
    return new Route("GET", path, null, Owner.OPEN, Priority.REPORTS, 0, handler);
  }

  private void page(Exchange exchange, FixedBody page) {
    exchange.replyHeader("Content-Security-Policy", policy);
    exchange.replyHeader("X-Content-Type-Options", "nosniff");
    exchange.replyHeader("Referrer-Policy", "no-referrer");
    page.reply(exchange);
  }

  private static byte[] document() throws IOException {
    try (InputStream in = DocsRoutes.class.getResourceAsStream(DOCUMENT)) {
      if (in == null) {
        throw new IOException(DOCUMENT + " is missing in this program");
      }
      return in.readAllBytes();
    }
  }
}
