package gilmok.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of other origins call the API, where the operator names those origins. Off when there
 * are none. Immutable.
 */
final class Cors {
  private static final CharSequence ORIGIN = HttpHeaders.createOptimized("origin");
  private static final CharSequence ASKED_METHOD =
      HttpHeaders.createOptimized("access-control-request-method");
  private static final CharSequence ALLOW_ORIGIN =
      HttpHeaders.createOptimized("access-control-allow-origin");
  private static final String ALLOWED_HEADERS =
      "authorization, content-encoding, content-type, idempotency-key, if-match, x-api-key";

  private final Set<String> origins;
  private final boolean all;
  private final String allowedHeaders;

  /**
   * The rules.
   *
   * @param keyHeader a header beside X-Api-Key in which keys are sent; null for none
   */
  Cors(List<String> origins, @Nullable String keyHeader) {
    allowedHeaders = keyHeader == null ? ALLOWED_HEADERS : ALLOWED_HEADERS + ", " + keyHeader;
    this.origins = Set.copyOf(origins);
    this.all = origins.contains("*");
  }

  /** Adds the headers that let a page of an allowed origin read the reply. */
  void dress(HttpRequest request, MultiMap headers) {
    String origin = allowedOrigin(request);
    if (origin != null) {
      headers.set(ALLOW_ORIGIN, origin);
      HeaderNames.vary(headers, ORIGIN);
    }
  }

  /**
   * Whether it comes from a page of an origin that the operator named; {@code *} names none. Such a
   * page is trusted with the credentials that a browser remembers.
   */
  boolean names(HttpRequest request) {
    String origin = request.head.getHeader(ORIGIN);
    return origin != null && origins.contains(origin);
  }

  /** Answers a CORS preflight request; false when the request is none. */
  boolean preflight(Router router, HttpRequest request, Exchange exchange) {
    Router.Paths paths = router.find(request);
    if (paths == null
        || allowedOrigin(request) == null
        || request.head.getHeader(ASKED_METHOD) == null) {
      return false;
    }
    exchange.replyHeader("access-control-allow-methods", paths.allow());
    exchange.replyHeader("access-control-allow-headers", allowedHeaders);
    exchange.replyHeader("access-control-max-age", "600");
    exchange.reply(204);
    return true;
  }

  private @Nullable String allowedOrigin(HttpRequest request) {
    if (origins.isEmpty()) {
      return null;
    }
    String origin = request.head.getHeader(ORIGIN);
    return origin != null && (all || origins.contains(origin)) ? origin : null;
  }
}
