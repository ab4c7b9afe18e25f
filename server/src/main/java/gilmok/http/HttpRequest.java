package gilmok.http;

import gilmok.auth.Principal;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request's head, and who sent it. Each part is parsed only when it is needed. Belongs to the
 * connection's event loop.
 */
final class HttpRequest {
  /** No Content-Length was sent. */
  static final long NO_LENGTH = -1;

  /** The Content-Length that was sent is not a number. */
  static final long BAD_LENGTH = -2;

  final HttpServerRequest head;

  /** The Content-Length, or {@link #NO_LENGTH}, or {@link #BAD_LENGTH}. */
  final long declared;

  /** The route that answers it; null while it is not known. */
  @Nullable Route route;

  /** The caller; null while it is not known, and on routes that need no key. */
  @Nullable Principal asker;

  /** The path without the query. */
  final String path;

  HttpRequest(HttpServerRequest head) {
    this.head = head;
    this.declared = length(head.headers().get(HttpHeaders.CONTENT_LENGTH));
    this.path = pathOf(head.uri());
  }

  /**
   * The path of a URI: without the query, and without the server's name, which a client sends to a
   * proxy.
   */
  private static String pathOf(@Nullable String uri) {
    if (uri == null) {
      return "";
    }
    int from = 0;
    if (uri.startsWith("http://") || uri.startsWith("https://")) {
      from = uri.indexOf('/', uri.indexOf("://") + 3);
      if (from < 0) {
        return "/";
      }
    }
    int mark = uri.indexOf('?', from);
    if (mark < 0) {
      return from == 0 ? uri : uri.substring(from);
    }
    return uri.substring(from, mark);
  }

  private static long length(@Nullable String contentLength) {
    if (contentLength == null) {
      return NO_LENGTH;
    }
    long length = 0;
    for (int i = 0; i < contentLength.length(); i++) {
      int digit = contentLength.charAt(i) - '0';
      if (digit < 0 || digit > 9 || length > Long.MAX_VALUE / 10 - 1) {
        return BAD_LENGTH;
      }
      length = length * 10 + digit;
    }
    return contentLength.isEmpty() ? BAD_LENGTH : length;
  }

  /**
   * Whether another server on the way could read the request differently: it has no Host, or two;
   * its body is compressed for the transfer; or its length is given twice. RFC 9112, 3.2 and 6.
   */
  boolean isAmbiguous() {
    if (isHttp2()) {
      return false;
    }
    MultiMap headers = head.headers();
    if (headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
      List<String> transfer = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
      if (transfer.size() != 1
          || !transfer.getFirst().equalsIgnoreCase("chunked")
          || declared != NO_LENGTH) {
        return true;
      }
    }
    int hosts = headers.getAll(HttpHeaders.HOST).size();
    return hosts > 1 || (hosts == 0 && head.version() == HttpVersion.HTTP_1_1);
  }

  boolean isHttp2() {
    return head.version() == HttpVersion.HTTP_2;
  }

  @Nullable String query(String name) {
    String query = queryString();
    return query.isEmpty() ? null : PercentEncoding.parameter(query, name);
  }

  List<String> queryAll(String name) {
    return PercentEncoding.parameters(queryString(), name);
  }

  String queryString() {
    String uri = head.uri();
    int mark = uri.indexOf('?');
    return mark < 0 ? "" : uri.substring(mark + 1);
  }

  /**
   * The session cookie of a page; null when there is none, or when another site's page may have
   * made the browser send it.
   */
  @Nullable String session() {
    String cookies = head.getHeader(HttpHeaders.COOKIE);
    return cookies == null || isForeign()
        ? null
        : PercentEncoding.cookie(cookies, HeaderNames.SESSION);
  }

  /**
   * Whether another site's page made the browser send this. SameSite=Strict (RFC 6265bis) prevents
   * it already, but not in browsers that do not support that.
   */
  private boolean isForeign() {
    String site = head.getHeader(HeaderNames.SEC_FETCH_SITE);
    return site != null && !site.equals("same-origin") && !site.equals("none");
  }

  /**
   * Whether a page's script sent this. It must not be offered Basic then, as the browser would ask
   * its user for a password.
   */
  boolean isFromScript() {
    String mode = head.getHeader(HeaderNames.SEC_FETCH_MODE);
    return mode != null && !mode.equals("navigate");
  }

  boolean isForm() {
    return contentType().equals("application/x-www-form-urlencoded");
  }

  String contentType() {
    String value = head.getHeader(HttpHeaders.CONTENT_TYPE);
    if (value == null) {
      return "";
    }
    if (value.equals(HeaderNames.JSON_TYPE)) {
      return HeaderNames.JSON_TYPE;
    }
    int end = value.indexOf(';');
    return (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** Whether the client waits for a 100 (Continue) before it sends the body. */
  boolean isContinueExpected() {
    String expect = head.getHeader(HttpHeaders.EXPECT);
    return expect != null && expect.equalsIgnoreCase("100-continue");
  }
}
