package gilmok.docs;

import gilmok.http.Exchange;
import gilmok.http.FixedBody;
import gilmok.http.Owner;
import gilmok.http.Priority;
import gilmok.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * {@code GET /openapi.yaml}, {@code GET /docs}, {@code GET /docs/errors}: the API's contract, as it
 * is and as pages. They need no key. The pages are of this program, and so made once in a process:
 * when somebody first asks, or before, by {@link #prepare}.
 */
public final class DocsRoutes {
  /** How often the document may point at a part of itself: more than it does. */
  private static final int ALIASES_MAX = 500;

  private static final String YAML = "application/yaml";
  private static final String DOCUMENT = "/openapi.yaml";

  private final String policy = Page.policy();

  /** What is answered. */
  private record Pages(FixedBody document, FixedBody api, FixedBody errors) {
    private static Pages made() {
      byte[] yaml = yaml();
      Object tree =
          new Load(
                  LoadSettings.builder()
                      .setLabel(DOCUMENT)
                      .setMaxAliasesForCollections(ALIASES_MAX)
                      .build())
              .loadFromString(new String(yaml, StandardCharsets.UTF_8));
      if (!(tree instanceof Map<?, ?> root)) {
        throw new IllegalStateException(DOCUMENT + " in this program is no document");
      }
      return new Pages(
          new FixedBody(YAML, yaml),
          new FixedBody(Page.TYPE, new ApiPage(new Place(root)).bytes()),
          new FixedBody(Page.TYPE, ErrorsPage.bytes()));
    }
  }

  /** The JDK's way to make something once, when it is first needed. */
  private static final class Once {
    private static final Pages PAGES = Pages.made();
  }

  /**
   * Makes the pages, if they are not there yet; takes a good part of a second. An error when this
   * program was built without its document.
   */
  public void prepare() {
    Objects.requireNonNull(Once.PAGES);
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        open("/openapi.yaml", exchange -> Once.PAGES.document().reply(exchange)),
        open("/docs", exchange -> page(exchange, Once.PAGES.api())),
        open("/docs/errors", exchange -> page(exchange, Once.PAGES.errors())));
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

  private static byte[] yaml() {
    try (InputStream in = DocsRoutes.class.getResourceAsStream(DOCUMENT)) {
      if (in == null) {
        throw new IllegalStateException(DOCUMENT + " is missing in this program");
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
