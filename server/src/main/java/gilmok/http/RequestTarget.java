package gilmok.http;

import org.jspecify.annotations.Nullable;

/** The target in a request's first line (RFC 9112, 3.2). Stateless. */
final class RequestTarget {
  private RequestTarget() {}

  /**
   * The path of a URI: without the query, and without the server's name, which a client sends to a
   * proxy.
   */
  static String path(@Nullable String uri) {
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

  /** The query of a URI, without its question mark; empty when there is none. */
  static String query(String uri) {
    int mark = uri.indexOf('?');
    return mark < 0 ? "" : uri.substring(mark + 1);
  }
}
